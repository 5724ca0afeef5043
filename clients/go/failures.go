package shedu

import (
	"fmt"
	"runtime"
	"strings"
)

// ownFrames begins the names of the functions of this package.
const ownFrames = "shedu.example/shedu."

// botFailure is why a bot has no valid answer. Failures of one kind are described once: a bot that fails in every
// decision would flood a terminal.
type botFailure struct{ kind, text string }

// Error describes the failure.
func (f *botFailure) Error() string { return f.text }

// describe tells people about the first failure of a kind; the report counts all of them.
func (r *Runner) describe(decisionID string, err error) {
	kind := err.Error()
	if failure, known := err.(*botFailure); known {
		kind = failure.kind
	}
	if _, known := r.described.LoadOrStore(kind, true); !known {
		r.notify(fmt.Sprintf("decide failed at %s: %v", decisionID, err))
	}
}

// panicked describes a panic with the functions of the bot that led to it. It must be called by the deferred function.
func panicked(trouble any) *botFailure {
	frames := botFrames()
	text := fmt.Sprintf("panic: %v", trouble)
	kind := text
	if len(frames) > 0 {
		kind = fmt.Sprintf("panic %T%s", trouble, frames[0])
	}
	return &botFailure{kind: kind, text: text + strings.Join(frames, "")}
}

// botFrames returns a line for each function that was running, without those of Go and of this package.
func botFrames() []string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	var lines []string
	for {
		frame, more := frames.Next()
		isOwn := strings.HasPrefix(frame.Function, ownFrames)
		if len(lines) > 0 && isOwn {
			return lines // what called the bot is of no interest to its author
		}
		if !isOwn && !strings.HasPrefix(frame.Function, "runtime.") {
			lines = append(lines, fmt.Sprintf("\n    at %s (%s:%d)", frame.Function, frame.File, frame.Line))
		}
		if !more {
			return lines
		}
	}
}
