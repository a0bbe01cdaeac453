// Five calls with the client that oapi-codegen makes, printed as JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"calls/masthead"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	withKey := masthead.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("MASTHEAD_KEY"))
		return nil
	})
	client := must(masthead.NewClientWithResponses(os.Getenv("MASTHEAD_URL"), withKey))

	yes := true
	kind := []masthead.SearchParamsKind{"podcast", "newsletter"}
	country := []string{"US", "GB"}
	page := must(client.SearchWithResponse(ctx, &masthead.SearchParams{Kind: &kind, Country: &country, HasEmail: &yes})).JSON200
	first := page.Results[0]
	facets := must(client.CountFacetsWithResponse(ctx, &masthead.CountFacetsParams{Country: &country})).JSON200
	ids := []string{first.Id, "nobody"}
	looked := must(client.LookUpRecordsWithResponse(ctx, masthead.LookUpRecordsJSONRequestBody{Ids: &ids})).JSON200
	record := must(client.FindRecordWithResponse(ctx, first.Id, &masthead.FindRecordParams{})).JSON200
	lost := must(client.FindRecordWithResponse(ctx, "nobody", &masthead.FindRecordParams{}))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"id":     first.Id,
		"found":  page.Total,
		"counted": facets.Total,
		"looked": []bool{looked.Results[0].Record != nil, looked.Results[1].Record != nil},
		"name":   record.Name,
		"lost":   lost.StatusCode(),
	}))
}
