// Runs the scenarios with the Go client: driver <address> <scenarios>. Prints a line of JSON for each scenario: what each
// step showed or how it failed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"shedu.example/shedu"
	"shedu.example/shedu/sheduv1"
)

type object = map[string]any

type driver struct {
	client *shedu.Client
	seats  map[string]uint32
	kept   object
}

func main() {
	client, err := shedu.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	var scenarios []struct {
		Name  string
		Steps []object
	}
	if err := json.Unmarshal(text, &scenarios); err != nil {
		log.Fatal(err)
	}
	for _, scenario := range scenarios {
		run := &driver{client, map[string]uint32{}, object{}}
		var shown []object
		for _, step := range scenario.Steps {
			shown = append(shown, run.take(step))
		}
		if err := json.NewEncoder(os.Stdout).Encode(object{scenario.Name: shown}); err != nil {
			log.Fatal(err)
		}
	}
}

func (d *driver) take(step object) object {
	given, _ := d.filled(step).(object)
	answer, err := d.call(given)
	if err != nil {
		return failure(err)
	}
	keep, _ := step["keep"].(object)
	for name, path := range keep {
		d.kept[name] = look(answer, strings.Split(path.(string), "."))
	}
	shown := object{}
	shows, _ := step["shows"].(object)
	for path := range shows {
		shown[path] = look(answer, strings.Split(path, "."))
	}
	return shown
}

func failure(err error) object {
	var failed *shedu.Error
	if !errors.As(err, &failed) {
		log.Fatal(err)
	}
	told := object{"code": codeName(failed), "reason": failed.Reason, "rule": nil, "fields": []string{}, "missed": nil}
	if failed.Rule != "" {
		told["rule"] = failed.Rule
	}
	for _, violation := range failed.Violations {
		told["fields"] = append(told["fields"].([]string), violation.Field)
	}
	if failed.Missed != nil {
		told["missed"] = versions(failed.Missed.Events)
	}
	return told
}

// codeName writes the code as the contract does: FAILED_PRECONDITION.
func codeName(failed *shedu.Error) string {
	var name strings.Builder
	for index, letter := range failed.Code.String() {
		if index > 0 && letter >= 'A' && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return strings.ToUpper(name.String())
}

func versions(events []*sheduv1.Event) []string {
	found := []string{}
	for _, event := range events {
		found = append(found, strconv.FormatUint(event.Version, 10))
	}
	return found
}

// read fills a message with the wishes of a step.
func read(step object, message proto.Message) {
	text, err := json.Marshal(step["with"])
	if err == nil && step["with"] != nil {
		err = protojson.Unmarshal(text, message)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// plain returns a message as JSON writes it.
func plain(message proto.Message, err error) (object, error) {
	if err != nil {
		return nil, err
	}
	text, err := protojson.Marshal(message)
	if err != nil {
		log.Fatal(err)
	}
	made := object{}
	return made, json.Unmarshal(text, &made)
}

// filled has what earlier steps kept in place of its name.
func (d *driver) filled(value any) any {
	switch given := value.(type) {
	case string:
		if name, found := strings.CutPrefix(given, "$"); found {
			return d.kept[name]
		}
	case []any:
		made := []any{}
		for _, item := range given {
			made = append(made, d.filled(item))
		}
		return made
	case object:
		made := object{}
		for name, part := range given {
			made[name] = d.filled(part)
		}
		return made
	}
	return value
}

// look returns what stands at the end of a path; nil where it leads nowhere.
func look(value any, path []string) any {
	if len(path) == 0 {
		return value
	}
	list, _ := value.([]any)
	if path[0] == "*" {
		found := []any{}
		for _, item := range list {
			found = append(found, look(item, path[1:]))
		}
		return found
	}
	if index, err := strconv.Atoi(path[0]); err == nil {
		if index < len(list) {
			return look(list[index], path[1:])
		}
		return nil
	}
	if made, ok := value.(object); ok {
		return look(made[path[0]], path[1:])
	}
	return nil
}

func (d *driver) player(step object, token string) *shedu.Player {
	return d.client.Player(fmt.Sprint(step["game"]), d.seats[token], token)
}

var background = context.Background()
