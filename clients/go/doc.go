// Package shedu is the client of Shedu, board games as a service.
//
// [Connect] returns a [Client]. It creates and finds games; a [Game] is looked at from outside, and a [Player]
// is one seat of it. Messages are those of the contract, in the package sheduv1 and in one package for each title,
// such as tidesv1.
//
// Calls that reach no server are repeated, with growing and random pauses, and with the same request id: a move
// is played once. Streams ([Game.Watch], [Client.Inbox], [Player.Turns]) resume after a break without a gap. Every
// failure is an [*Error]. A bot is one function, see [Runner].
package shedu
