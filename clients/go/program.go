package shedu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Exit codes of [RunProgram].
const (
	// ExitFailed: the bot failed in a decision, or a game was left because of an error.
	ExitFailed = 1
	// ExitCannotPlay: the address, the token or another setting is wrong.
	ExitCannotPlay = 2
	// exitSignal is added to the number of the signal that ended the program, as shells do.
	exitSignal = 128
)

// program is a bot as a program.
type program struct {
	runner *Runner
	once   sync.Once
}

// RunProgram makes a program of a bot: it plays every game that the bot is invited to, waits while no server answers, and
// ends the process with the exit code 0, [ExitFailed] or [ExitCannotPlay].
//
// SHEDU_SERVER and SHEDU_TOKEN say where and as whom it plays, SHEDU_GAMES after how many games it ends. Messages for
// people go to the standard error output. The report is the last line of the standard output, also when SIGTERM or Ctrl-C
// ends the program.
func RunProgram(runner *Runner) {
	if runner.Name == "" {
		runner.Name = "bot"
	}
	if runner.Notify == nil {
		runner.Notify = func(message string) { fmt.Fprintln(os.Stderr, message) }
	}
	os.Exit((&program{runner: runner}).run())
}

func (p *program) run() int {
	if err := p.play(context.Background()); err != nil {
		p.runner.notify(explanation(err))
		return ExitCannotPlay
	}
	if report := p.runner.Report(); report.Failures > 0 || report.Lost > 0 {
		return ExitFailed
	}
	return 0
}

func (p *program) play(ctx context.Context) error {
	if err := p.runner.readGames(); err != nil {
		return err
	}
	client, err := Connect("", WithPatience(Forever), WithNotify(p.runner.notify))
	if err != nil {
		return err
	}
	defer client.Close()
	defer p.report()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go p.stop(signals)
	target := client.wire.line.target
	p.runner.notify("connecting to " + target)
	if _, err := client.Titles(ctx); err != nil {
		return err
	}
	p.runner.notify("connected to " + target + ", waiting for invitations and decisions")
	_, err = p.runner.Run(ctx, client)
	return err
}

// stop reports and ends the process at a signal.
func (p *program) stop(signals <-chan os.Signal) {
	caught := <-signals
	p.report()
	code := exitSignal
	if number, known := caught.(syscall.Signal); known {
		code += int(number)
	}
	os.Exit(code)
}

// report prints the report once: at the end, or when a signal ends the program before.
func (p *program) report() { p.once.Do(func() { fmt.Println(p.runner.Report()) }) }

func explanation(err error) string {
	var failed *Error
	if !errors.As(err, &failed) {
		return err.Error()
	}
	text := failed.text()
	if failed.Kind != ErrUnauthenticated || failed.Reason == "" { // without a reason no server has seen the token
		return text
	}
	if os.Getenv("SHEDU_TOKEN") == "" {
		return "the server needs a token, and SHEDU_TOKEN is not set: " + text
	}
	return "the server does not accept the token in SHEDU_TOKEN: " + text
}
