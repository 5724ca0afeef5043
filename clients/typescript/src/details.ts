// Reads the google.rpc details of errors without their descriptors.
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

export interface ErrorInfo {
  reason: string;
  domain: string;
  metadata: Record<string, string>;
}

/** A problem of one field of a request. */
export interface FieldViolation {
  field: string;
  description: string;
}

type Read = (reader: BinaryReader) => void;

function eachField(bytes: Uint8Array, fields: Record<number, Read>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read === undefined) reader.skip(wireType as WireType, number);
    else read(reader);
  }
}

function pair(bytes: Uint8Array): [string, string] {
  let [first, second] = ["", ""];
  eachField(bytes, { 1: (reader) => (first = reader.string()), 2: (reader) => (second = reader.string()) });
  return [first, second];
}

export function readErrorInfo(bytes: Uint8Array): ErrorInfo {
  const info: ErrorInfo = { reason: "", domain: "", metadata: {} };
  eachField(bytes, {
    1: (reader) => (info.reason = reader.string()),
    2: (reader) => (info.domain = reader.string()),
    3: (reader) => {
      const [key, value] = pair(reader.bytes());
      info.metadata[key] = value;
    },
  });
  return info;
}

export function readFieldViolations(bytes: Uint8Array): FieldViolation[] {
  const violations: FieldViolation[] = [];
  eachField(bytes, {
    1: (reader) => {
      const [field, description] = pair(reader.bytes());
      violations.push({ field, description });
    },
  });
  return violations;
}

/** Returns milliseconds. */
export function readRetryDelay(bytes: Uint8Array): number {
  let milliseconds = 0;
  const duration: Record<number, Read> = {
    1: (reader) => (milliseconds += Number(reader.int64()) * 1000),
    2: (reader) => (milliseconds += reader.int32() / 1_000_000),
  };
  eachField(bytes, { 1: (reader) => eachField(reader.bytes(), duration) });
  return milliseconds;
}
