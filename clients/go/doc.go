// Package shedu is the client of Shedu, board games as a service.
//
// [Connect] returns a [Client]. It creates and finds games; a [Game] is looked at from outside, and a [Player]
// is one seat of it. Messages are those of the contract, in the packages sheduv1 and, for each title, tidesv1,
// tigrisv1, tigriscardsv1 and stoneagev1.
//
// Calls that find no server are made again, with growing and random pauses, and with the same request id: a move
// is played once. Streams ([Game.Watch], [Client.Inbox], [Player.Turns]) resume after a break without a gap. Every
// failure is an [*Error]. A bot is one function, see [Runner].
package shedu
