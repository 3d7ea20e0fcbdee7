// Package penstock is a plugin for Traefik. It asks Penstock about each request before Traefik forwards it. Unlike
// forwardAuth, it passes the rate limit headers of allowed requests on to the client, and can send a token.
package penstock

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// The largest body of a denial that is passed on.
const mostBytes = 1 << 20

// The number of connections to Penstock that stay open.
const mostIdle = 100

var rateLimitFields = []string{
	"RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
}

var denialFields = []string{"Content-Type", "Cache-Control", "Retry-After", "Penstock-Action", "Penstock-Status"}

// Config has the settings of the plugin.
type Config struct {
	// Gate is the URL of Penstock's gate: http://127.0.0.1:8080/v1/gate. Required.
	Gate string `json:"gate,omitempty"`
	// Token is sent to Penstock as a bearer token, if it is not empty.
	Token string `json:"token,omitempty"`
	// Headers lists the headers of the request that gate.attributes names.
	Headers []string `json:"headers,omitempty"`
	// Timeout is how long to wait for Penstock.
	Timeout string `json:"timeout,omitempty"`
	// FailOpen lets requests pass if Penstock does not answer. Otherwise, they get 503.
	FailOpen bool `json:"failOpen,omitempty"`
}

// CreateConfig returns the default settings.
func CreateConfig() *Config {
	return &Config{Timeout: "1s"}
}

type middleware struct {
	next   http.Handler
	config *Config
	client *http.Client
}

// New creates the middleware.
func New(_ context.Context, next http.Handler, config *Config, _ string) (http.Handler, error) {
	if config.Gate == "" {
		return nil, errors.New("gate: nothing (expected: a URL such as http://127.0.0.1:8080/v1/gate)")
	}
	timeout, err := time.ParseDuration(config.Timeout)
	if err != nil || timeout <= 0 {
		return nil, errors.New("timeout: " + config.Timeout + " (expected: a time above 0, such as 1s)")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.MaxIdleConnsPerHost = mostIdle
	client := &http.Client{
		Transport:     transport,
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &middleware{next: next, config: config, client: client}, nil
}

func (m *middleware) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	answer, err := m.ask(request)
	if err != nil {
		m.withoutPenstock(writer, request)
		return
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostBytes)) // to the end, so that the connection can be used again
	_ = answer.Body.Close()
	if err != nil {
		m.withoutPenstock(writer, request)
		return
	}
	if answer.StatusCode >= 500 && answer.Header.Get("Penstock-Action") == "" {
		m.withoutPenstock(writer, request)
		return
	}
	copyFields(writer, answer, rateLimitFields)
	if answer.StatusCode == http.StatusOK {
		m.next.ServeHTTP(writer, request)
		return
	}
	copyFields(writer, answer, denialFields)
	writer.WriteHeader(answer.StatusCode)
	_, _ = writer.Write(body)
}

// ask describes the request to Penstock. It sends no header of the client except those that are configured.
func (m *middleware) ask(request *http.Request) (*http.Response, error) {
	asked, err := http.NewRequestWithContext(request.Context(), http.MethodGet, m.config.Gate, http.NoBody)
	if err != nil {
		return nil, err
	}
	for _, name := range m.config.Headers {
		for _, value := range request.Header.Values(name) {
			asked.Header.Add(name, value)
		}
	}
	if m.config.Token != "" {
		asked.Header.Set("Authorization", "Bearer "+m.config.Token)
	}
	address, _, err := net.SplitHostPort(request.RemoteAddr)
	if err != nil {
		return nil, err
	}
	asked.Header.Set("X-Forwarded-For", address)
	asked.Header.Set("X-Forwarded-Method", request.Method)
	asked.Header.Set("X-Forwarded-Host", request.Host)
	asked.Header.Set("X-Forwarded-Uri", request.URL.RequestURI())
	return m.client.Do(asked)
}

func (m *middleware) withoutPenstock(writer http.ResponseWriter, request *http.Request) {
	if m.config.FailOpen {
		m.next.ServeHTTP(writer, request)
		return
	}
	http.Error(writer, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
}

func copyFields(writer http.ResponseWriter, answer *http.Response, names []string) {
	for _, name := range names {
		if value := answer.Header.Get(name); value != "" {
			writer.Header().Set(name, value)
		}
	}
}
