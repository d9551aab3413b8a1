//! Reports about contracts as JUnit XML: each function is a test.

use thetis_report::{CaseOutcome, TestCase, junit};

use super::ContractReport;
use super::verify::{FunctionReport, Status};

impl ContractReport<'_> {
    /// The whole document.
    pub(super) fn junit(&self) -> String {
        let cases: Vec<TestCase> = self.functions.iter().map(|function| self.test_case(function)).collect();
        junit(&self.file, &cases)
    }

    fn test_case(&self, function: &FunctionReport) -> TestCase {
        let violations = function.violations.iter();
        let failing: Vec<String> = violations
            .map(|violation| format!("{}: {}", self.place(violation.check.span), violation.check.kind))
            .collect();
        let outcome = match (failing.first(), &function.status) {
            (Some(first), _) => CaseOutcome::Failed { message: first.clone(), details: failing.join("\n") },
            (None, Status::Ok) => CaseOutcome::Passed,
            (None, _) => CaseOutcome::Unknown(self.reason(function).trim().to_owned()),
        };
        TestCase { name: function.name.clone(), outcome, elapsed: function.time }
    }
}
