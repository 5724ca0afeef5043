//! Runs the scenarios with the Rust client: shedu-scenarios <address> <scenarios>. Prints a line of JSON for each
//! scenario: what each step showed or how it failed.

mod calls;
mod json;

use std::collections::HashMap;
use std::{env, fs};

use serde_json::{Map, Value, json};
use shedu::{Client, Error, v1};

use json::{filled, look};

/// The seats and the kept values of one scenario.
struct Driver {
    client: Client,
    seats: HashMap<String, u32>,
    kept: Map<String, Value>,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = env::args().collect();
    let client = Client::connect(&arguments[1]).await.expect("an address");
    let text = fs::read_to_string(&arguments[2]).expect("a file of scenarios");
    let scenarios: Vec<Value> = serde_json::from_str(&text).expect("scenarios");
    for scenario in scenarios {
        let mut driver = Driver { client: client.clone(), seats: HashMap::new(), kept: Map::new() };
        let mut shown = Vec::new();
        for step in scenario["steps"].as_array().expect("steps") {
            shown.push(driver.take(step).await);
        }
        println!("{}", json!({ scenario["name"].as_str().expect("a name"): shown }));
    }
}

impl Driver {
    async fn take(&mut self, step: &Value) -> Value {
        let answer = match self.call(&filled(step, &self.kept)).await {
            Ok(answer) => answer,
            Err(error) => return failure(&error),
        };
        for (name, path) in step["keep"].as_object().into_iter().flatten() {
            self.kept.insert(name.clone(), look(&answer, path.as_str().expect("a path")));
        }
        let paths = step["shows"].as_object().into_iter().flatten();
        paths.map(|(path, _)| (path.clone(), look(&answer, path))).collect::<Map<_, _>>().into()
    }
}

fn failure(error: &Error) -> Value {
    let fields: Vec<_> = error.violations().iter().map(|violation| &violation.field).collect();
    let missed = error.missed().map(|missed| versions(&missed.events));
    json!({
        "code": code_name(error),
        "reason": error.reason(),
        "rule": error.rule(),
        "fields": fields,
        "missed": missed,
    })
}

/// Returns the code as the contract writes it: FAILED_PRECONDITION.
fn code_name(error: &Error) -> String {
    let mut name = String::new();
    for letter in format!("{:?}", error.code()).chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn versions(events: &[v1::Event]) -> Vec<String> {
    events.iter().map(|event| event.version.to_string()).collect()
}
