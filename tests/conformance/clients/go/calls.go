package main

import (
	"log"

	"shedu.example/shedu"
	"shedu.example/shedu/sheduv1"
)

// call makes the call of a step.
func (d *driver) call(step object) (object, error) {
	token, _ := step["as"].(string)
	id, _ := step["game"].(string)
	game, player := d.client.GameWithToken(id, token), d.player(step, token)
	switch step["call"] {
	case "titles":
		titles, err := d.client.Titles(background)
		return plain(&sheduv1.ListTitlesResponse{Titles: titles}, err)
	case "create":
		return d.create(step)
	case "join":
		return d.join(step)
	case "view":
		wishes := &sheduv1.GetViewRequest{}
		read(step, wishes)
		return plain(game.View(background, func(request *sheduv1.GetViewRequest) {
			request.Version, request.AsSeat = wishes.Version, wishes.AsSeat
		}))
	case "legalActions":
		legal, err := player.LegalActions(background)
		if err != nil {
			return nil, err
		}
		answer := &sheduv1.ListLegalActionsResponse{Actions: legal.Actions, Decision: legal.Decision, Version: legal.Version}
		return plain(answer, nil)
	case "play":
		return play(step, player)
	case "events":
		return events(step, game)
	case "fairness":
		fairness, err := game.Fairness(background)
		return plain(&sheduv1.GetFairnessResponse{Fairness: fairness}, err)
	case "start":
		started, err := player.Start(background)
		return plain(&sheduv1.StartGameResponse{Game: started}, err)
	case "leave":
		left, err := player.Leave(background)
		return plain(&sheduv1.LeaveGameResponse{Game: left}, err)
	case "watch":
		return watch(step, game)
	case "playOut":
		return d.playOut(step)
	}
	log.Fatalf("no such call: %v", step["call"])
	return nil, nil
}

func (d *driver) create(step object) (object, error) {
	wishes := &sheduv1.CreateGameRequest{}
	read(step, wishes)
	made, err := d.client.Create(background, wishes)
	if err != nil {
		return nil, err
	}
	answer := &sheduv1.CreateGameResponse{Game: &sheduv1.Game{GameId: made.ID()}, InviteCode: made.InviteCode}
	if wishes.Visibility != sheduv1.Visibility_VISIBILITY_PRIVATE {
		answer.Game, err = made.Look(background)
	}
	return plain(answer, err)
}

func (d *driver) join(step object) (object, error) {
	wishes := &sheduv1.JoinGameRequest{}
	read(step, wishes)
	player, err := d.client.Game(step["game"].(string)).Join(background, wishes)
	if err != nil {
		return nil, err
	}
	d.seats[player.Token()] = player.Seat()
	game, err := player.Look(background)
	return plain(&sheduv1.JoinGameResponse{Game: game, Seat: player.Seat(), SeatToken: player.Token()}, err)
}

func play(step object, player *shedu.Player) (object, error) {
	wishes := &sheduv1.PlayActionRequest{}
	read(step, wishes)
	options := []shedu.PlayOption{shedu.WithRequestID(wishes.RequestId)}
	if wishes.ExpectedVersion != nil {
		options = append(options, shedu.ExpectVersion(*wishes.ExpectedVersion))
	}
	if wishes.ValidateOnly {
		options = append(options, shedu.ValidateOnly())
	}
	return plain(player.Play(background, wishes.DecisionId, wishes.Action, options...))
}

func events(step object, game *shedu.Game) (object, error) {
	wishes := &sheduv1.ListEventsRequest{}
	read(step, wishes)
	answer := &sheduv1.ListEventsResponse{}
	for event, err := range game.Events(background, wishes.AfterVersion) {
		if err != nil {
			return nil, err
		}
		answer.Events = append(answer.Events, event)
	}
	return plain(answer, nil)
}

// watch tells the moments of a stream until it is live, in the words of the scenarios.
func watch(step object, game *shedu.Game) (object, error) {
	wishes := &sheduv1.WatchGameRequest{}
	read(step, wishes)
	now, err := game.Look(background)
	if err != nil {
		return nil, err
	}
	moments := game.Watch(background)
	if wishes.AfterVersion != nil {
		moments = game.WatchAfter(background, *wishes.AfterVersion)
	}
	kinds, told := []any{}, []any{}
	for moment, err := range moments {
		if err != nil {
			return nil, err
		}
		kind := "snapshot"
		if len(moment.Events) > 0 {
			kind = "happened"
		}
		kinds = append(kinds, kind)
		for _, version := range versions(moment.Events) {
			told = append(told, version)
		}
		if moment.View.Version >= now.Version {
			break
		}
	}
	return object{"kinds": append(kinds, "caughtUp"), "versions": told}, nil
}

// playOut lets every seat answer with its first legal action, in turn, until nothing is asked any more.
func (d *driver) playOut(step object) (object, error) {
	seats, answers := step["seats"].([]any), 0
	for idle := 0; idle < len(seats); {
		player := d.player(step, seats[(answers+idle)%len(seats)].(string))
		legal, err := player.LegalActions(background)
		if err != nil {
			return nil, err
		}
		if legal.Decision == nil {
			idle++
			continue
		}
		if _, err := player.Play(background, legal.Decision.DecisionId, legal.Actions[0].Action); err != nil {
			return nil, err
		}
		answers, idle = answers+1, 0
	}
	game, err := d.client.Game(step["game"].(string)).Look(background)
	answer, err := plain(&sheduv1.GetGameResponse{Game: game}, err)
	if err == nil {
		answer["answers"] = answers
	}
	return answer, err
}
