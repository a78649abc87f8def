package main

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// TestOpenAIClient: the client of the API's makers, streaming and not, gets through the gateway what
// it gets from the backend, and the tenant pays what the backend's account says.
func TestOpenAIClient(t *testing.T) {
	b := newBench(t, twoTenants, 2, 100, nil)
	c := openai.NewClient(option.WithBaseURL(b.address+"/v1/"), option.WithAPIKey("honest"), option.WithMaxRetries(0),
		option.WithJSONSet("user", "honest"), option.WithJSONSet("prompt_size", 30), option.WithJSONSet("answer_size", 6))
	params := openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")}}

	answer, err := c.Chat.Completions.New(t.Context(), params)
	if err != nil || answer.Choices[0].Message.Content != strings.Repeat("wort", 6) || answer.Usage.PromptTokens != 30 || answer.Usage.CompletionTokens != 6 {
		t.Errorf("not streamed: %+v, %v", answer, err)
	}
	for _, asked := range []bool{false, true} {
		if asked {
			params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
		}
		s := c.Chat.Completions.NewStreaming(t.Context(), params)
		text, usages := "", 0
		for s.Next() {
			for _, choice := range s.Current().Choices {
				text += choice.Delta.Content
			}
			if s.Current().Usage.TotalTokens > 0 {
				usages++
			}
			if len(s.Current().Choices) == 0 && !asked {
				t.Errorf("an event without choices that was not asked for: %s", s.Current().RawJSON())
			}
		}
		if s.Err() != nil || text != strings.Repeat("wort", 6) || (usages == 1) != asked {
			t.Errorf("streamed, usage asked %t: %q, %d usages, %v", asked, text, usages, s.Err())
		}
	}
	r := c.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{Model: "m", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("hello")}})
	text := ""
	for r.Next() {
		if e := r.Current(); e.Type == "response.output_text.delta" {
			text += e.Delta
		}
	}
	if r.Err() != nil || text != strings.Repeat("wort", 6) {
		t.Errorf("responses: %q, %v", text, r.Err())
	}
	if models, err := c.Models.List(t.Context()); err != nil || len(models.Data) != 1 {
		t.Errorf("models: %v, %v", models, err)
	}
	if model, err := c.Models.Get(t.Context(), "org/m"); err != nil || model.ID != "org/m" {
		t.Errorf("a model: %v, %v", model, err)
	}
	within(t, "all have ended", b.idle)
	if got, want := b.totals["honest"], b.fake.cost["honest"]; got != want || want != 4*36 {
		t.Errorf("charged %v, want %v", got, want)
	}
	_, err = c.Chat.Completions.New(t.Context(), params, option.WithAPIKey("nobody"))
	if e := new(openai.Error); !errors.As(err, &e) || e.StatusCode != http.StatusUnauthorized || e.Message != errUnknown.text {
		t.Errorf("an unknown key: %v, want an error with 401 and a message", err)
	}
}
