"""BenchExec's view of Thetis: how to call it and how to read its answer."""

import json

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# What `reason.code` of the report means to BenchExec; every other reason is "unknown".
REASONS = {
    "out-of-time": result.RESULT_TIMEOUT,
    "out-of-memory": "OUT OF MEMORY",
    "failed": "ERROR (failed)",
    "certificate-rejected": "ERROR (certificate rejected)",
}

# The exit codes with which there is no report.
FAILURES = {1: "usage", 2: "input rejected", 6: "internal"}


class Tool(BaseTool2):
    """
    Thetis decides whether a system can reach a bad state, and checks every answer before it is printed.

    The report in JSON is asked for, so that the result does not depend on words meant for people.
    """

    # The solver beside the program, relative to the folder that `make install` fills.
    REQUIRED_PATHS = ["bin", "lib/thetis"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("thetis", subdir="bin")

    def name(self):
        return "Thetis"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="thetis ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "json", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language") == "C":
            data_model = task.options.get("data_model")
            if data_model not in (None, "ILP32", "LP64"):
                raise UnsupportedFeatureException(f"unsupported data model {data_model}")
            if data_model:
                command += ["--data-model", data_model]
        if rlimits.cputime:
            command += ["--cpu-time", f"{rlimits.cputime}s"]
        wall_time = rlimits.walltime or rlimits.cputime
        command += ["--time", f"{wall_time}s" if wall_time else "none"]
        if rlimits.memory:
            command += ["--memory", str(rlimits.memory)]
        return [*command, task.single_input_file]

    def determine_result(self, run):
        report = self._report(run.output)
        if report is None:
            if run.was_timeout:
                return result.RESULT_TIMEOUT
            code = run.exit_code.value
            return f"ERROR ({FAILURES.get(code, code)})"
        verdict = report.get("verdict")
        if verdict in ("safe", "unsafe") and not report.get("checked"):
            return result.RESULT_UNKNOWN
        if verdict == "safe":
            return result.RESULT_TRUE_PROP
        if verdict == "unsafe":
            rule = report.get("violated")
            return f"{result.RESULT_FALSE_PROP}({rule})" if rule else result.RESULT_FALSE_PROP
        reason = (report.get("reason") or {}).get("code")
        return REASONS.get(reason, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        """
        A figure of the report for a column: a field such as `check-seconds`, or a path into the statistics such as
        `solver-z3/queries`.
        """
        report = self._report(output)
        if report is None:
            return None
        if identifier in report:
            return str(report[identifier])
        *path, figure = identifier.split("/")
        pending = [report.get("statistics") or {}]
        while pending:
            part = pending.pop()
            if not path or part.get("name") == path[-1]:
                for name, value in part.get("entries", []):
                    if name == figure:
                        return str(value)
            pending.extend(part.get("parts", []))
        return None

    @staticmethod
    def _report(output):
        """The JSON object at the end of the output; lines of standard error may stand before it."""
        text = output.text
        start = text.find('{\n  "format": "thetis-report"')
        if start < 0:
            return None
        try:
            report, _ = json.JSONDecoder().raw_decode(text[start:])
        except ValueError:
            return None
        return report
