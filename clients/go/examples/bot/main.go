// A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.
package main

import (
	"shedu.example/shedu"
	"shedu.example/shedu/sheduv1"
)

func decide(turn *shedu.Turn) *sheduv1.LegalAction { return turn.Actions[len(turn.Actions)/2] }

func main() {
	shedu.RunProgram(&shedu.Runner{Decide: decide, Name: "middle"}) // at SHEDU_SERVER, with the key in SHEDU_TOKEN
}
