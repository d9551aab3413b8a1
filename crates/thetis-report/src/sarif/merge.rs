//! The logs of several questions as one log.
//!
//! Code scanning takes one run of a tool for each upload. So the logs of the questions become one run: their rules without repetition, all
//! results, and one invocation with the notifications of all of them.

use serde_json::{Value, json};

/// One log with one run, which exits with `exit_code`.
pub fn merge_sarif(logs: &[Value], exit_code: u8) -> Value {
    let runs: Vec<&Value> = logs.iter().map(|log| &log["runs"][0]).collect();
    let [mut rules, mut artifacts, mut notifications] = [const { Vec::<Value>::new() }; 3];
    let mut results = Vec::new();
    for run in &runs {
        add_new(&mut rules, &run["tool"]["driver"]["rules"], "id");
        add_new(&mut artifacts, &run["artifacts"], "location");
        let notes = items(&run["invocations"][0]["toolExecutionNotifications"]);
        notifications.extend(notes.filter(|note| !notifications.contains(note)).cloned().collect::<Vec<_>>());
        results.extend(items(&run["results"]).cloned());
    }
    for result in &mut results {
        result["ruleIndex"] = json!(rules.iter().position(|rule| rule["id"] == result["ruleId"]));
    }
    let mut log = logs.first().cloned().unwrap_or_default();
    let run = &mut log["runs"][0];
    run["tool"]["driver"]["rules"] = rules.into();
    run["artifacts"] = artifacts.into();
    run["results"] = results.into();
    run["invocations"] = json!([{
        "executionSuccessful": true,
        "exitCode": exit_code,
        "toolExecutionNotifications": notifications,
    }]);
    log
}

/// Adds the items of a list whose `key` is new.
fn add_new(known: &mut Vec<Value>, list: &Value, key: &str) {
    for item in items(list) {
        if !known.iter().any(|other| other[key] == item[key]) {
            known.push(item.clone());
        }
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sarif::{Log, unanswered};

    #[test]
    fn runs_become_one_with_the_rules_of_all() {
        let log = |id: &str, results: &[&str]| {
            let results = results.iter().map(|text| json!({ "ruleId": id, "ruleIndex": 0, "text": text }));
            let notifications = vec![unanswered("why")];
            let log =
                Log { id, sentence: "It holds.", file: "a.c", sha256: None, exit_code: 5, notifications };
            log.with_results(results.collect())
        };
        let merged = merge_sarif(&[log("p", &["1"]), log("q", &[]), log("r", &["2"]), log("p", &["3"])], 10);
        assert_eq!(merged["runs"].as_array().map(Vec::len), Some(1));
        let run = &merged["runs"][0];
        let ids: Vec<&Value> = items(&run["tool"]["driver"]["rules"]).map(|rule| &rule["id"]).collect();
        assert_eq!(ids, ["p", "q", "r"]);
        let results: Vec<(&Value, &Value)> =
            items(&run["results"]).map(|result| (&result["ruleIndex"], &result["text"])).collect();
        assert_eq!(results, [(&json!(0), &json!("1")), (&json!(2), &json!("2")), (&json!(0), &json!("3"))]);
        assert_eq!(run["invocations"][0]["exitCode"], 10);
        assert_eq!(items(&run["invocations"][0]["toolExecutionNotifications"]).count(), 1);
        assert_eq!(items(&run["artifacts"]).count(), 1);
    }
}
