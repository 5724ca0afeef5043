export * from "./gen/shedu/v1/catalog_service_pb.js";
export * from "./gen/shedu/v1/error_reason_pb.js";
export * from "./gen/shedu/v1/game_pb.js";
export * from "./gen/shedu/v1/game_service_pb.js";
export * as stoneAge from "./gen/shedu/stone_age/v1/stone_age_pb.js";
export * as tides from "./gen/shedu/tides/v1/tides_pb.js";
export * as tigris from "./gen/shedu/tigris/v1/tigris_pb.js";
export * as tigrisCards from "./gen/shedu/tigris_cards/v1/tigris_cards_pb.js";
export { commitment, Draws, luckKey } from "./verify.js";
