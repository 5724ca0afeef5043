import type { stoneAge } from "@shedu/client";
import type { Choice } from "../../board";
import { type Amounts, NOTHING, RESOURCES } from "./goods";
import { placeKey } from "./places";

/** The three decisions that are made with resources. */
export type PaymentKind = "pay" | "feed" | "take";

export function paymentKey(kind: PaymentKind, amounts: Amounts): string {
  return `${kind}=${RESOURCES.map((resource) => amounts[resource]).join()}`;
}

/** At least so many of a resource. */
export function atLeastKey(kind: PaymentKind, resource: string, count: number): string {
  return `${kind}:${resource}:${count}`;
}

function paymentKeys(kind: PaymentKind, amounts: Amounts): string[] {
  const least = RESOURCES.flatMap((resource) =>
    Array.from({ length: amounts[resource] }, (_, index) => atLeastKey(kind, resource, index + 1)),
  );
  return [kind, paymentKey(kind, amounts), ...least];
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
      return paymentKeys("pay", kind.value.resources ?? NOTHING);
    case "feed":
      return paymentKeys("feed", kind.value.resources ?? NOTHING);
    case "takeResources":
      return paymentKeys("take", kind.value.resources ?? NOTHING);
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
