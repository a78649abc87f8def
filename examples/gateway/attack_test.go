package main

import (
	"net/http"
	"testing"
)

// TestAttacks: whatever other does, by the backend's own account honest and other get 4 : 1 within
// the bounds that docs/fair-queues.md proves.
func TestAttacks(t *testing.T) {
	const chat, completions, responses, messages, embeddings = "/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages", "/v1/embeddings"
	short := order{Prompt: 60, Tokens: 20, Stream: true, Chunk: 5}
	long := order{Prompt: 5000, Tokens: 10, Stream: true, Chunk: 5}
	off := func(o order) order { o.Options = map[string]any{"include_usage": false}; return o }
	for _, c := range []struct {
		name string
		play
	}{
		{"none", play{paths: [2]string{chat, chat}, orders: [2]order{short, short}}},
		{"not streamed", play{paths: [2]string{chat, completions}, orders: [2]order{short, {Prompt: 60, Tokens: 60}}}},
		{"no usage is asked for, and the prompt is long", play{paths: [2]string{chat, chat}, orders: [2]order{long, off(long)}}},
		{"continuous usage alone", play{paths: [2]string{chat, chat}, orders: [2]order{short, {Prompt: 60, Tokens: 20, Stream: true, Chunk: 5, Options: map[string]any{"include_usage": nil, "continuous_usage_stats": true}}}}},
		{"responses", play{paths: [2]string{chat, responses}, orders: [2]order{short, short}}},
		{"responses, not streamed", play{paths: [2]string{chat, responses}, orders: [2]order{short, {Prompt: 60, Tokens: 60}}}},
		{"messages", play{paths: [2]string{chat, messages}, orders: [2]order{short, short}}},
		{"messages, not streamed", play{paths: [2]string{chat, messages}, orders: [2]order{short, {Prompt: 60, Tokens: 60}}}},
		{"embeddings", play{paths: [2]string{chat, embeddings}, orders: [2]order{short, {Prompt: 80}}}},
		{"gzip", play{paths: [2]string{chat, chat}, orders: [2]order{short, short}, header: http.Header{"Accept-Encoding": {"gzip"}}}},
		{"an answer above 1 MB", play{paths: [2]string{chat, chat}, orders: [2]order{{Prompt: 60, Tokens: 2000}, {Prompt: 60, Tokens: 2000, Bytes: 600}}}},
		{"an event above 1 MB", play{paths: [2]string{chat, responses}, orders: [2]order{short, {Prompt: 60, Tokens: 20, Chunk: 5, Pad: 9 << 17, Stream: true}}}},
		{"hanging up before the first token", play{paths: [2]string{chat, chat}, orders: [2]order{long, {Prompt: 5000, Tokens: 10, Stream: true, Hang: 1}}}},
		{"hanging up before the last token, of several in an event", play{paths: [2]string{chat, chat}, orders: [2]order{{Prompt: 1000, Tokens: 300, Stream: true, Chunk: 100}, {Prompt: 1000, Tokens: 400, Stream: true, Chunk: 100, Hang: 301}}}},
		{"eight answers", play{paths: [2]string{chat, chat}, orders: [2]order{short, {Prompt: 60, Tokens: 20, Stream: true, Chunk: 10, N: 8}}}},
		{"a server that says no usage", play{paths: [2]string{chat, chat}, orders: [2]order{{Prompt: 2000, Tokens: 40, Stream: true, Chunk: 10}, {Prompt: 2000, Tokens: 40, Stream: true, Chunk: 10, Silent: true}}}},
		{"prices, and a prompt from the cache", play{paths: [2]string{chat, messages}, orders: [2]order{short, {Prompt: 600, Cached: 500, Tokens: 20, Stream: true, Chunk: 5}}, prices: tokens{1, .1, 4}}},
	} {
		t.Run(c.name, func(t *testing.T) { c.fair(t) })
	}
}
