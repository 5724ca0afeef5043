import type { stoneAge } from "@shedu/client";
import type { Choice } from "../../board";
import { type Amounts, NOTHING, RESOURCES } from "./goods";
import { placeKey } from "./places";

/** The three questions that are answered with resources. */
export type BillKind = "pay" | "feed" | "take";

export function billKey(kind: BillKind, amounts: Amounts): string {
  return `${kind}=${RESOURCES.map((resource) => amounts[resource]).join()}`;
}

/** At least so many of a resource. */
export function atLeastKey(kind: BillKind, resource: string, count: number): string {
  return `${kind}:${resource}:${count}`;
}

function billKeys(kind: BillKind, amounts: Amounts): string[] {
  const least = RESOURCES.flatMap((resource) =>
    Array.from({ length: amounts[resource] }, (_, index) => atLeastKey(kind, resource, index + 1)),
  );
  return [kind, billKey(kind, amounts), ...least];
}

export function toolsKey(tools: readonly number[], onceOnly: readonly number[]): string {
  return `tools=${[...tools].sort().join()}|${[...onceOnly].sort().join()}`;
}

export function keysOf({ legal }: Choice): readonly string[] {
  const title = legal.action?.title;
  if (title?.case !== "stoneAge") return [];
  const kind: stoneAge.Action["kind"] = title.value.kind;
  switch (kind.case) {
    case "placePeople":
      return [placeKey(kind.value.place), `people:${kind.value.people}`];
    case "resolvePlace":
      return [placeKey(kind.value.place)];
    case "addTools":
      return [
        toolsKey(kind.value.tools, kind.value.oneUseTools),
        ...kind.value.tools.map((space) => `tool:${space}`),
        ...kind.value.oneUseTools.map((value) => `once:${value}`),
      ];
    case "pay":
      return billKeys("pay", kind.value.resources ?? NOTHING);
    case "feed":
      return billKeys("feed", kind.value.resources ?? NOTHING);
    case "takeResources":
      return billKeys("take", kind.value.resources ?? NOTHING);
    case "takeDie":
      return [`die:${kind.value.face}`];
    case "decline":
      return ["decline"];
    case "goHungry":
      return ["hungry"];
    default:
      return [];
  }
}
