//! Converts messages to the JSON of Protobuf and back, and finds values in it.

use std::sync::LazyLock;

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Map, Value};

static CONTRACT: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../../clients/python/shedu/descriptors.binpb");
    DescriptorPool::decode(bytes.as_slice()).expect("the descriptors of the contract")
});

fn described(name: &str) -> MessageDescriptor {
    CONTRACT.get_message_by_name(&format!("shedu.v1.{name}")).expect("a message of the contract")
}

/// Returns the wishes of a step as a message.
pub fn read<M: Message + Default>(step: &Value, name: &str) -> M {
    let wishes = if step["with"].is_null() { Value::Object(Map::new()) } else { step["with"].clone() };
    let message = DynamicMessage::deserialize(described(name), wishes).expect("JSON of the message");
    message.transcode_to().expect("the same message")
}

/// Returns a message as JSON writes it.
pub fn plain(message: &impl Message, name: &str) -> Value {
    let mut made = DynamicMessage::new(described(name));
    made.transcode_from(message).expect("the same message");
    serde_json::to_value(made).expect("JSON of the message")
}

/// Replaces each `$name` by the value that an earlier step kept.
pub fn filled(value: &Value, kept: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('$') {
            Some(name) => kept.get(name).cloned().unwrap_or_default(),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| filled(item, kept)).collect(),
        Value::Object(parts) => {
            parts.iter().map(|(name, part)| (name.clone(), filled(part, kept))).collect::<Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}

/// Returns the value at the end of a path; null if the path does not exist.
pub fn look(value: &Value, path: &str) -> Value {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    if path.is_empty() {
        return value.clone();
    }
    match (name, name.parse::<usize>()) {
        ("*", _) => value.as_array().into_iter().flatten().map(|item| look(item, rest)).collect(),
        (_, Ok(index)) => value.get(index).map_or(Value::Null, |item| look(item, rest)),
        _ => value.get(name).map_or(Value::Null, |part| look(part, rest)),
    }
}
