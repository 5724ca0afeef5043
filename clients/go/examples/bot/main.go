// A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.
package main

import (
	"context"
	"fmt"
	"log"

	"shedu.example/shedu"
	"shedu.example/shedu/sheduv1"
)

func decide(turn *shedu.Turn) *sheduv1.LegalAction { return turn.Actions[len(turn.Actions)/2] }

func main() {
	client, err := shedu.Connect("", shedu.WithPatience(shedu.Forever)) // SHEDU_SERVER and SHEDU_TOKEN
	if err != nil {
		log.Fatal(err)
	}
	report, err := (&shedu.Runner{Decide: decide, Name: "middle"}).Run(context.Background(), client)
	fmt.Println(report)
	if err != nil {
		log.Fatal(err)
	}
}
