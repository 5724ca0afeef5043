// A bot that fails in every decision.
package main

import (
	"errors"

	"shedu.example/shedu"
	"shedu.example/shedu/sheduv1"
)

func main() {
	shedu.RunProgram(&shedu.Runner{Decide: func(*shedu.Turn) *sheduv1.LegalAction { return think() }, Name: "broken"})
}

//go:noinline
func think() *sheduv1.LegalAction { panic(errors.New("a fault of the bot")) }
