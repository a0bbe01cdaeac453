// Generated from docs/openapi.json by `npm run clients`. Do not edit.

export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the API offers
         * @description Returns every operation for callers with its URL, and where the reference and this document are.
         */
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search media
         * @description Returns one page of results. Without `q`, the largest audience comes first. A record must match every parameter, and any of a parameter's values. Emails are masked unless you send a key with an active plan.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count media by kind, country and more
         * @description Without parameters, counts the whole database. Each list applies all filters except its own, so you can show the alternatives.
         */
        get: operations["countFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a list of records
         * @description Returns the record of each id, then of each domain, in the order asked. A domain finds what it finds in `q`, without correcting typos; of several records, the one whose site it is, else the one with the largest audience. The id of a duplicate finds the record it was merged into. Counts as one request.
         */
        post: operations["lookUpRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a record
         * @description Returns one record by its id. Its email is masked unless you send a key with an active plan. The id of a duplicate leads to the record it was merged into.
         */
        get: operations["findRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find similar media
         * @description Returns up to 50 records of the same kind that share topics, type, place, language or telling words of the description, the most similar first. Other entries of the same medium are left out. Emails are masked like in searches.
         */
        get: operations["findSimilar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all matching records as a file
         * @description Without `kind`, exports outlets. Pro exports outlets as csv, Premium everything. The file is a snapshot, gzipped if you accept it. If the connection breaks, the file is incomplete. X-Total-Count gives the number of rows at the start; records suppressed meanwhile are left out. A trailer has the digest of the bytes as sent. A key can run two exports at once.
         */
        get: operations["export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push leads to a campaign of an outbound tool
         * @description Premium only. Adds the leads that an export with the same filters would contain. The push continues if the caller disconnects. The tool's api_key is used for this push and never stored.
         */
        post: operations["pushLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your lists
         * @description Lists belong to the account behind a key: they survive its rotation and renewal. With an expired plan you can read and delete them.
         */
        get: operations["findLists"];
        put?: never;
        /**
         * Create a list
         * @description An account has at most 200 lists.
         */
        post: operations["createList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a list with its records
         * @description Pages the records of a list as searches do, each with your note and status. The parameter `list` of searches, facets, exports and pushes takes all its records together with filters.
         */
        get: operations["readList"];
        put?: never;
        post?: never;
        /** Delete a list */
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        /**
         * Rename a list
         * @description Send the ETag of an earlier answer as If-Match, and a list that was written since stays as it is.
         */
        patch: operations["renameList"];
        trace?: never;
    };
    "/api/v1/lists/{id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add, change and remove the records of a list
         * @description All or nothing. A list holds at most 10,000 records. A merged record stands for its doubles; what was deleted or suppressed leaves every list.
         */
        post: operations["writeListRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a browser in
         * @description For the pages of the service alone. Sets a cookie for 30 days that stands for the key: HttpOnly, SameSite=Lax, Secure under https. It counts only for requests of those pages, and `Authorization` wins over it.
         */
        post: operations["startSession"];
        /**
         * Sign this browser out
         * @description For the pages of the service alone. Ends the session of the cookie, if there is one.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the browsers that are signed in
         * @description A session ends with the secret of the key that it was started with, or after its time.
         */
        get: operations["findSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign another browser out */
        delete: operations["endSessionOf"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the plan of your key
         * @description Returns the plan of the key you send, until when it runs, and the order it comes from. Works with an expired plan too.
         */
        get: operations["readAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how much your key was used
         * @description Returns requests, exported rows and pushed leads for each of the last 30 days. A rotated key keeps its counts. Counts of other processes of the service arrive within ten seconds.
         */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your key (returns the new one once)
         * @description Returns a new key for the same plan, with the same limits. The key that you send goes on for overlap_hours, so you can change it in one place after the other. If you lose the answer, send the request again with the old key: the new key that you lost ends. Sent with the new key while the old one still works, the request ends the new key at once, and the old one goes on as long as was promised, or ends too if overlap_hours is 0. At most two keys work at a time. No body counts as {}. An expired plan does not matter.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description Returns every plan for sale with its price, the days it runs and what it includes. POST /checkout buys one.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a checkout
         * @description Send the buyer to checkout_url, then poll the order until it is paid. The first read after the payment returns the key. If you send a key of the same plan, the order renews it instead: the same key goes on, and its plan ends later by the days of the plan, counted from its end, or from the payment if it had ended.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order (returns the key once)
         * @description Only the first read after the payment includes api_key. HEAD requests and prefetches never claim it. For a pending order, the service asks the payment provider.
         */
        get: operations["readOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payment events from Stripe
         * @description Events must be signed by Stripe. Each event id is applied once, in any order. Handled types: `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`, `charge.dispute.created`. Others are answered with 200 and not stored.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is up
         * @description Answers as long as the process runs, whatever the state of the engines. For restarting a hung process.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready
         * @description Answers 200 if searches can be answered, and otherwise 503 with what is missing. For balancers.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    stripe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment events that Stripe sends
         * @description In Stripe, send events of these types to /api/v1/webhooks/stripe: `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`, `charge.dispute.created`. Stripe repeats an event until the answer is 200.
         */
        post: operations["sendStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An event as the payment provider writes it. Further keys are the provider's own. */
        PaymentEvent: {
            id: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        ApiLinks: {
            /** @description The version of the API. */
            version: string;
            /** Format: uri */
            documentation_url: string;
            /** Format: uri */
            openapi_url: string;
            /**
             * Format: uri
             * @description Where models call the service, by the Model Context Protocol.
             */
            mcp_url?: string;
            links: components["schemas"]["ApiLink"][];
        };
        ApiLink: {
            /** @description The operationId in the OpenAPI document. */
            operation: string;
            /** @enum {string} */
            method: "GET" | "POST" | "PATCH" | "DELETE";
            /** @description The URL, a template (RFC 6570) where it has `{…}`. */
            href: string;
            summary: string;
        };
        /** @description RFC 9457, as application/problem+json. */
        Problem: {
            /**
             * Format: uri
             * @description A page that explains the code.
             */
            type: string;
            title: string;
            status: number;
            /**
             * @description Stable; check this in programs.
             * @enum {string}
             */
            code: "invalid_request" | "page_too_deep" | "key_missing" | "key_invalid" | "plan_required" | "plan_expired" | "origin_not_allowed" | "not_found" | "order_not_found" | "method_not_allowed" | "idempotency_conflict" | "list_changed" | "body_too_large" | "unsupported_media_type" | "misdirected_request" | "too_many_lists" | "list_full" | "too_many_leads" | "too_many_rows" | "tool_key_rejected" | "campaign_not_found" | "rate_limited" | "internal" | "tool_failed" | "payment_failed" | "search_unavailable" | "store_unavailable";
            /** @description For people: what is wrong and what to do. */
            detail: string;
            /** @description The request's path. */
            instance: string | null;
            request_id: string;
            /** @description With 400: every invalid field, at most 20. */
            errors?: components["schemas"]["FieldError"][];
            /** @description With 400: the number of errors not listed, if any. */
            more_errors?: number;
            /**
             * @description With 403: a plan that allows it.
             * @enum {string}
             */
            required_plan?: "pro" | "premium";
            /**
             * Format: uri
             * @description With 403: the page where a person can buy a plan.
             */
            buy_url?: string;
            /**
             * Format: uri
             * @description With 403: the list of plans and prices.
             */
            plans_url?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One problem with the request, and how to fix it. */
        FieldError: {
            /** @enum {string} */
            in: "query" | "body" | "path" | "header";
            name: string;
            code: string;
            message: string;
            allowed?: string[];
            did_you_mean?: string;
        };
        SearchPage: {
            results: components["schemas"]["Record"][];
            /** @description The exact number of matching records. */
            total: number;
            page: number;
            per_page: number;
            /** @description Includes pages too deep to reach. */
            total_pages: number;
            /** @description Whether addresses are masked, for lack of an active plan. */
            masked: boolean;
            /**
             * @description Present if some of the records match `q` only after its spelling was corrected or a word was left out.
             * @constant
             */
            corrected?: true;
        };
        /** @description An outlet, podcast or newsletter. Unknown values are null. */
        Record: {
            /** @description Stable identifier. */
            id: string;
            /**
             * @description Kind of record.
             * @enum {string}
             */
            kind: "outlet" | "podcast" | "newsletter";
            /** @description The name. */
            name: string;
            /** @description Other names, native titles, abbreviations. */
            aliases: string[];
            /** @description The home page. */
            url: string | null;
            /** @description What it is about. */
            description: string | null;
            /** @description Main language, as a BCP 47 tag. */
            language: string | null;
            /** @description Continent; derived from the country if the source has none. */
            continent: ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america") | null;
            /** @description ISO 3166-1 alpha-2 code. */
            country: string | null;
            /** @description The English name of the country. */
            country_name: string | null;
            /** @description State, province or region. */
            region: string | null;
            /** @description City or town. */
            city: string | null;
            /** @description Size class of the city by population. */
            city_size: ("town" | "small" | "medium" | "large" | "mega") | null;
            /** @description Type of outlet; null for podcasts and newsletters. */
            type: ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other") | null;
            /** @description Topics. */
            categories: ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other")[];
            /** @description Geographic reach. */
            coverage: ("local" | "regional" | "national" | "international") | null;
            /** @description The contact person. */
            contact_name: string | null;
            /** @description The contact person's job title. */
            contact_title: string | null;
            /** @description Contact email address; masked without a plan. */
            email: string | null;
            /** @description Result of verifying the address. */
            email_status: ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown") | null;
            /** @description URL where the address was found; null if the address is masked. */
            email_source: string | null;
            /** @description When the address was last verified. */
            last_verified_at: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description Readers, listeners or subscribers. */
            audience: number | null;
            /** @description How often it is published. */
            frequency: ("daily" | "weekly" | "biweekly" | "monthly" | "quarterly" | "irregular" | "continuous") | null;
            /** @description RSS or Atom feed. */
            feed_url: string | null;
            /** @description Hosting platform. */
            platform: string | null;
            /** @description LinkedIn page. */
            linkedin_url: string | null;
            /**
             * Format: date-time
             * @description When the record last changed.
             */
            updated_at: string;
            /** @description Topics that are no category, communities, owners, formats: as the sources have them. */
            tags: string[];
        };
        /** @description A page of records with the keys that the parameter `fields` names. */
        SelectedSearchPage: {
            results: components["schemas"]["SelectedRecord"][];
            /** @description The exact number of matching records. */
            total: number;
            page: number;
            per_page: number;
            /** @description Includes pages too deep to reach. */
            total_pages: number;
            /** @description Whether addresses are masked, for lack of an active plan. */
            masked: boolean;
            /**
             * @description Present if some of the records match `q` only after its spelling was corrected or a word was left out.
             * @constant
             */
            corrected?: true;
        };
        /** @description The keys of a record that the parameter `fields` names. */
        SelectedRecord: {
            /** @description Stable identifier. */
            id: string;
            /**
             * @description Kind of record.
             * @enum {string}
             */
            kind?: "outlet" | "podcast" | "newsletter";
            /** @description The name. */
            name?: string;
            /** @description Other names, native titles, abbreviations. */
            aliases?: string[];
            /** @description The home page. */
            url?: string | null;
            /** @description What it is about. */
            description?: string | null;
            /** @description Main language, as a BCP 47 tag. */
            language?: string | null;
            /** @description Continent; derived from the country if the source has none. */
            continent?: ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america") | null;
            /** @description ISO 3166-1 alpha-2 code. */
            country?: string | null;
            /** @description The English name of the country. */
            country_name?: string | null;
            /** @description State, province or region. */
            region?: string | null;
            /** @description City or town. */
            city?: string | null;
            /** @description Size class of the city by population. */
            city_size?: ("town" | "small" | "medium" | "large" | "mega") | null;
            /** @description Type of outlet; null for podcasts and newsletters. */
            type?: ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other") | null;
            /** @description Topics. */
            categories?: ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other")[];
            /** @description Geographic reach. */
            coverage?: ("local" | "regional" | "national" | "international") | null;
            /** @description The contact person. */
            contact_name?: string | null;
            /** @description The contact person's job title. */
            contact_title?: string | null;
            /** @description Contact email address; masked without a plan. */
            email?: string | null;
            /** @description Result of verifying the address. */
            email_status?: ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown") | null;
            /** @description URL where the address was found; null if the address is masked. */
            email_source?: string | null;
            /** @description When the address was last verified. */
            last_verified_at?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Readers, listeners or subscribers. */
            audience?: number | null;
            /** @description How often it is published. */
            frequency?: ("daily" | "weekly" | "biweekly" | "monthly" | "quarterly" | "irregular" | "continuous") | null;
            /** @description RSS or Atom feed. */
            feed_url?: string | null;
            /** @description Hosting platform. */
            platform?: string | null;
            /** @description LinkedIn page. */
            linkedin_url?: string | null;
            /**
             * Format: date-time
             * @description When the record last changed.
             */
            updated_at?: string;
            /** @description Topics that are no category, communities, owners, formats: as the sources have them. */
            tags?: string[];
        };
        /** @description Largest count first. Each list applies all filters except its own. */
        Facets: {
            /** @description The number of records that match all filters. */
            total: number;
            countries: components["schemas"]["FacetCount"][];
            kinds: components["schemas"]["FacetCount"][];
            types: components["schemas"]["FacetCount"][];
            categories: components["schemas"]["FacetCount"][];
            continents: components["schemas"]["FacetCount"][];
            coverages: components["schemas"]["FacetCount"][];
            city_sizes: components["schemas"]["FacetCount"][];
            languages: components["schemas"]["FacetCount"][];
            tags: components["schemas"]["FacetCount"][];
            /** @description How many values the lists have besides the 100 largest, where sources write whatever they like. */
            more: {
                tags: number;
            };
            /** @description Present with `audiences=1`: all steps, ascending, under all filters but `min_audience` and `max_audience`. */
            audiences?: components["schemas"]["AudienceCount"][];
            /**
             * @description Present if some of the records match `q` only after its spelling was corrected or a word was left out.
             * @constant
             */
            corrected?: true;
        };
        FacetCount: {
            /** @description The value to filter by. */
            value: string;
            /** @description English text to display. */
            label: string;
            count: number;
        };
        AudienceCount: {
            /** @description For `min_audience`. */
            min: number;
            /** @description For `max_audience`; null in the last step. */
            max: number | null;
            count: number;
        };
        Lookup: {
            results: {
                /** @description The id or domain, as it was given. */
                asked: string;
                /** @description Null if nothing has this id or domain. */
                record: components["schemas"]["Record"] | components["schemas"]["SelectedRecord"] | null;
            }[];
            /** @description Whether addresses are masked, for lack of an active plan. */
            masked: boolean;
        };
        Push: {
            /** @enum {string} */
            tool: "instantly" | "smartlead";
            campaign_id: string;
            /** @description Records that match the filters. */
            matched: number;
            /** @description Records without an address, or with one that is known to be invalid. */
            without_email: number;
            /** @description Records with the address of an earlier one. */
            repeated: number;
            /** @description added + duplicates + invalid + blocked + skipped + failed. */
            sent: number;
            added: number;
            duplicates: number;
            invalid: number;
            blocked: number;
            skipped: number;
            failed: number;
            /** @description The tool's own counters. */
            details: {
                [key: string]: number;
            };
        };
        Lists: {
            /** @description By name. */
            lists: components["schemas"]["List"][];
        };
        List: {
            id: string;
            name: string;
            /** @description Its records, as of its last write. */
            count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ListPage: {
            id: string;
            name: string;
            /** @description Its records. */
            count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Records that were deleted or suppressed since the list was last written. */
            left: number;
            results: {
                record: components["schemas"]["Record"] | components["schemas"]["SelectedRecord"];
                note: string | null;
                /** @enum {string} */
                status: "to_contact" | "contacted" | "replied" | "declined" | "published" | "none";
                /** Format: date-time */
                added_at: string;
            }[];
            /** @description The records of the list, or those of the statuses asked for. */
            total: number;
            page: number;
            per_page: number;
            total_pages: number;
            /** @description Whether addresses are masked, for lack of an active plan. */
            masked: boolean;
        };
        Deleted: {
            /** @constant */
            deleted: true;
        };
        Session: {
            id: string;
            /** @description What the browser said that it is. */
            browser: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether it is the one of this request. */
            current: boolean;
        };
        Sessions: {
            /** @description The newest first. */
            sessions: components["schemas"]["Session"][];
        };
        Account: {
            /** @enum {string} */
            plan: "pro" | "premium";
            /** @enum {string} */
            status: "active" | "expired";
            /** Format: date-time */
            expires_at: string;
            /** @description The first characters of the key that you send, which identify it. */
            key_prefix: string;
            /** @description null if an operator issued the key. */
            order_id: string | null;
            /** @description The page where you see your payments and invoices, after a login by email. null without one. */
            billing_portal_url: string | null;
            /**
             * Format: date-time
             * @description Present if the key that you send was replaced: when it stops working, whatever the plan.
             */
            old_key_expires_at?: string;
        };
        Usage: {
            /** @description The last 30 days in UTC, the oldest first, today last. */
            days: {
                /** Format: date */
                date: string;
                /** @description Requests within the limit, this one included. */
                requests: number;
                /** @description Rows of exports that were made for you. */
                exported_rows: number;
                /** @description Leads that outbound tools were sent. */
                pushed_leads: number;
            }[];
        };
        RotatedKey: {
            /** @description The new key. Save it: it is shown once. */
            api_key: string;
            /** @description The first characters of the new key, which identify it. */
            key_prefix: string;
            /**
             * Format: date-time
             * @description When the key that you sent stops working.
             */
            old_key_expires_at: string;
        };
        Plans: {
            plans: components["schemas"]["Plan"][];
        };
        Plan: {
            /** @enum {string} */
            tier: "pro" | "premium";
            /** @description In minor units of the currency, such as cents. */
            price: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description Days the plan runs from its payment. */
            days: number;
            includes: string[];
        };
        Checkout: {
            /**
             * Format: uri
             * @description The page where the buyer pays.
             */
            checkout_url: string;
            order_id: string;
            /** @description A secret: anyone with it and the order_id can claim the key. Keep both. */
            claim_token: string;
        };
        Order: {
            order_id: string;
            /** @enum {string} */
            status: "pending" | "paid" | "refunded" | "expired" | "failed";
            /** @enum {string} */
            tier: "pro" | "premium";
            /** Format: date-time */
            created_at: string;
            paid_at: string | null;
            plan_expires_at: string | null;
            /** @description When the key was given out. */
            key_claimed_at: string | null;
            /** @description The first characters of the key that the order renews: it never returns an api_key, and plan_expires_at is the end of the key with the days of this order. null for an order with a key of its own. */
            renews: string | null;
            /** @description Only in the first answer after the payment. Save it: it is shown once. */
            api_key?: string;
        };
    };
    responses: {
        /** @description `invalid_request`: The request is invalid. `errors` lists every problem and how to fix it. */
        invalid_request: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `key_invalid`: The key is mistyped, unknown or revoked, or the Authorization header does not use the scheme Bearer. */
        key_invalid: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: You have used up your requests for this minute, or reached the limit of concurrent exports or pushes. The header `Retry-After` says when to try again, in seconds. */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfterLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal`: The service failed. Quote the request_id when you report it: the error is logged under it. */
        internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `store_unavailable`: The store is not available. The header `Retry-After` says when to try again, in seconds. */
        store_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfterOutage"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `invalid_request`: The request is invalid. `errors` lists every problem and how to fix it.
         *
         *     `page_too_deep`: page × per_page must not exceed 10,000. Use GET /api/v1/export to get all results.
         */
        "invalid_request.page_too_deep": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `store_unavailable`: The store is not available. The header `Retry-After` says when to try again, in seconds.
         *
         *     `search_unavailable`: The search index is not available. The header `Retry-After` says when to try again, in seconds.
         */
        "store_unavailable.search_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfterOutage"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `body_too_large`: The body exceeds the size limit of this path. */
        body_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: The Content-Type of the body is not supported here. */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: The path, the record or the list does not exist. */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_invalid`: The key is mistyped, unknown or revoked, or the Authorization header does not use the scheme Bearer.
         *
         *     `key_missing`: This request needs an API key in the header `Authorization: Bearer <key>`.
         */
        "key_invalid.key_missing": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `plan_required`: Your plan does not include this. `required_plan` names a plan that does.
         *
         *     `plan_expired`: Your plan has expired. Buy a new one at `buy_url`.
         */
        "plan_required.plan_expired": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_rows`: The filters match more records than a file of this format can hold. Narrow them, or use another format. */
        too_many_rows: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_conflict`: This Idempotency-Key was already used with a different body. Use a new key for a new request. */
        idempotency_conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_leads`: The filters match more leads than one push can send. Nothing was sent.
         *
         *     `tool_key_rejected`: The outbound tool rejected the api_key: it is wrong or lacks permission to add leads. Nothing was sent.
         *
         *     `campaign_not_found`: The outbound tool has no such campaign for this api_key. Nothing was sent.
         */
        "too_many_leads.tool_key_rejected.campaign_not_found": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `tool_failed`: The outbound tool failed. The counts show what was sent before. You can safely push again: no lead is added to a campaign twice. */
        tool_failed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_missing`: This request needs an API key in the header `Authorization: Bearer <key>`.
         *
         *     `key_invalid`: The key is mistyped, unknown or revoked, or the Authorization header does not use the scheme Bearer.
         */
        "key_missing.key_invalid": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `plan_expired`: Your plan has expired. Buy a new one at `buy_url`. */
        plan_expired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_lists`: An account has at most 200 lists. Delete one that you no longer need. */
        too_many_lists: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `list_changed`: The list was written since the version that If-Match names. Read it again, and decide again. */
        list_changed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `list_full`: A list holds at most 10,000 records. Nothing was changed. */
        list_full: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `origin_not_allowed`: Pages of other sites may not use /mcp: only those of the service and of the browser's own machine. */
        origin_not_allowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payment_failed`: The payment provider could not complete the request. Nothing was bought; you can safely try again. */
        payment_failed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `order_not_found`: The order does not exist, or the claim_token does not match. */
        order_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request in the log. Keeps the id that the caller sent, if any. */
        RequestId: string;
        /** @description The limit that applies: its name, the requests allowed (q) and the seconds they are counted over (w), such as `"pro";q=600;w=60`. */
        RateLimitPolicy: string;
        /** @description What is left of that limit: requests (r) and seconds until it resets (t), such as `"pro";r=599;t=42`. */
        RateLimit: string;
        /** @description Requests allowed per minute. */
        RateLimitLimit: number;
        /** @description Requests left in this minute. */
        RateLimitRemaining: number;
        /** @description Seconds until the limit resets. */
        RateLimitReset: number;
        /** @description The reference (service-doc) and this document (service-desc), RFC 8631. */
        ServiceLinks: string;
        /** @description Bearer, with error="invalid_token" if the key is not valid. */
        Authenticate: string;
        /** @description Seconds until you can send requests again. */
        RetryAfterLimit: number;
        /** @description Seconds to wait before trying again. */
        RetryAfterOutage: number;
        /** @description Links to the first, previous, next and last reachable page (RFC 8288). */
        Link: string;
        /** @description Send it as If-None-Match. If nothing has changed, the answer is 304 without a body. */
        ETag: string;
        /** @description private, no-cache: only the caller may store the answer, and must revalidate it each time. */
        CacheControl: string;
        /** @description Where the answer is, relative to the path of the request. */
        Location: string;
        /** @description The file name, such as masthead-outlets-2026-11-21.csv. */
        FileName: string;
        /** @description The number of rows, minus any suppressed during the export. If the export fails midway, the connection breaks. */
        TotalCount: number;
        /** @description Matches of other kinds that the file leaves out because no `kind` was given. */
        ExcludedCount: number;
        /** @description The version of the list: send it as If-Match to write only to this version. */
        ListVersion: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Link: components["headers"]["ServiceLinks"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "1.2.0",
                     *       "documentation_url": "https://masthead.example/docs",
                     *       "openapi_url": "https://masthead.example/openapi.json",
                     *       "mcp_url": "https://masthead.example/mcp",
                     *       "links": [
                     *         {
                     *           "operation": "search",
                     *           "method": "GET",
                     *           "href": "https://masthead.example/api/v1/search",
                     *           "summary": "Search media"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiLinks"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Kind of record. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                kind?: ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter") | ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter")[];
                /** @description Main language, as a BCP 47 tag. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                language?: (string) | (string)[];
                /** @description Continent; derived from the country if the source has none. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                continent?: ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america") | ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america")[];
                /** @description ISO 3166-1 alpha-2 code. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                country?: (string) | (string)[];
                /** @description State, province or region. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                region?: string | string[];
                /** @description City or town. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city?: string | string[];
                /** @description Size class of the city by population. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city_size?: ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega") | ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega")[];
                /** @description Type of outlet; null for podcasts and newsletters. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                type?: ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other") | ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other")[];
                /** @description Topics. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                category?: ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other") | ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other")[];
                /** @description Geographic reach. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                coverage?: ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international") | ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international")[];
                /** @description Result of verifying the address. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                email_status?: ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown") | ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown")[];
                /** @description Topics that are no category, communities, owners, formats: as the sources have them. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                tag?: string | string[];
                /** @description 1: only records with a known contact_name. 0: all records. */
                named?: boolean;
                /** @description 1: only records with a known email. 0: all records. */
                has_email?: boolean;
                /** @description Ids of records. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                id?: string | string[];
                /** @description Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                domain?: (string) | (string)[];
                /** @description When the address was last verified: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                verified_since?: string;
                /** @description Readers, listeners or subscribers: this number or more. Leaves out records where it is unknown. */
                min_audience?: number;
                /** @description Readers, listeners or subscribers: this number or less. Leaves out records where it is unknown. */
                max_audience?: number;
                /** @description When the record last changed: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_since?: string;
                /** @description When the record last changed: before this time. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_before?: string;
                /** @description What to search for: words, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most 500 characters, after NFC normalization and trimming. */
                q?: string;
                /** @description 1: `q` as it is typed, without typo tolerance. Use it to repeat a search whose answer says `corrected`. 0: typos are tolerated. */
                strict?: boolean;
                /** @description The id of a list of your account: only its records. Needs your key. */
                list?: string;
                /** @description relevance: best match first. name: A to Z. audience: largest first. updated: newest first. Put - in front to reverse the order. */
                sort?: "relevance" | "-relevance" | "name" | "-name" | "audience" | "-audience" | "updated" | "-updated";
                /** @description Only these keys of a record, in the order of records; `id` always. Separate the names with commas or repeat the parameter; at most 100 names. */
                fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[];
                /** @description The page number, from 1. page × per_page must not exceed 10,000. */
                page?: number;
                /** @description Records per page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of matching records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "outlet-harbour-times",
                     *           "kind": "outlet",
                     *           "name": "The Harbour Times",
                     *           "aliases": [
                     *             "Harbour Times"
                     *           ],
                     *           "url": "https://harbour-times.example/",
                     *           "description": "News of the harbour and the towns around it.",
                     *           "language": "en",
                     *           "continent": "europe",
                     *           "country": "GB",
                     *           "country_name": "United Kingdom",
                     *           "region": "England",
                     *           "city": "Leeds",
                     *           "city_size": "large",
                     *           "type": "newspaper",
                     *           "categories": [
                     *             "general_news",
                     *             "politics"
                     *           ],
                     *           "coverage": "regional",
                     *           "contact_name": "Ada Quill",
                     *           "contact_title": "News editor",
                     *           "email": "a***@harbour-times.example",
                     *           "email_status": "valid",
                     *           "email_source": null,
                     *           "last_verified_at": "2026-10-02T00:00:00.000Z",
                     *           "phone": null,
                     *           "audience": 90000,
                     *           "frequency": "daily",
                     *           "feed_url": "https://harbour-times.example/feed",
                     *           "platform": null,
                     *           "linkedin_url": null,
                     *           "updated_at": "2026-10-02T08:15:00.000Z",
                     *           "tags": [
                     *             "Harbour Media Group"
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "per_page": 20,
                     *       "total_pages": 1,
                     *       "masked": true
                     *     }
                     */
                    "application/json": components["schemas"]["SearchPage"] | components["schemas"]["SelectedSearchPage"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request.page_too_deep"];
            401: components["responses"]["key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    countFacets: {
        parameters: {
            query?: {
                /** @description Kind of record. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                kind?: ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter") | ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter")[];
                /** @description Main language, as a BCP 47 tag. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                language?: (string) | (string)[];
                /** @description Continent; derived from the country if the source has none. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                continent?: ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america") | ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america")[];
                /** @description ISO 3166-1 alpha-2 code. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                country?: (string) | (string)[];
                /** @description State, province or region. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                region?: string | string[];
                /** @description City or town. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city?: string | string[];
                /** @description Size class of the city by population. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city_size?: ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega") | ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega")[];
                /** @description Type of outlet; null for podcasts and newsletters. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                type?: ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other") | ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other")[];
                /** @description Topics. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                category?: ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other") | ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other")[];
                /** @description Geographic reach. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                coverage?: ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international") | ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international")[];
                /** @description Result of verifying the address. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                email_status?: ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown") | ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown")[];
                /** @description Topics that are no category, communities, owners, formats: as the sources have them. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                tag?: string | string[];
                /** @description 1: only records with a known contact_name. 0: all records. */
                named?: boolean;
                /** @description 1: only records with a known email. 0: all records. */
                has_email?: boolean;
                /** @description Ids of records. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                id?: string | string[];
                /** @description Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                domain?: (string) | (string)[];
                /** @description When the address was last verified: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                verified_since?: string;
                /** @description Readers, listeners or subscribers: this number or more. Leaves out records where it is unknown. */
                min_audience?: number;
                /** @description Readers, listeners or subscribers: this number or less. Leaves out records where it is unknown. */
                max_audience?: number;
                /** @description When the record last changed: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_since?: string;
                /** @description When the record last changed: before this time. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_before?: string;
                /** @description What to search for: words, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most 500 characters, after NFC normalization and trimming. */
                q?: string;
                /** @description 1: `q` as it is typed, without typo tolerance. Use it to repeat a search whose answer says `corrected`. 0: typos are tolerated. */
                strict?: boolean;
                /** @description The id of a list of your account: only its records. Needs your key. */
                list?: string;
                /** @description 1: the answer has `audiences`: how many records there are by the size of their audience. */
                audiences?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every value with at least one record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 12,
                     *       "countries": [
                     *         {
                     *           "value": "US",
                     *           "label": "United States",
                     *           "count": 9
                     *         },
                     *         {
                     *           "value": "GB",
                     *           "label": "United Kingdom",
                     *           "count": 3
                     *         }
                     *       ],
                     *       "kinds": [
                     *         {
                     *           "value": "outlet",
                     *           "label": "Outlet",
                     *           "count": 12
                     *         }
                     *       ],
                     *       "types": [
                     *         {
                     *           "value": "newspaper",
                     *           "label": "Newspaper",
                     *           "count": 12
                     *         }
                     *       ],
                     *       "categories": [
                     *         {
                     *           "value": "politics",
                     *           "label": "Politics",
                     *           "count": 4
                     *         }
                     *       ],
                     *       "continents": [
                     *         {
                     *           "value": "north_america",
                     *           "label": "North America",
                     *           "count": 9
                     *         },
                     *         {
                     *           "value": "europe",
                     *           "label": "Europe",
                     *           "count": 3
                     *         }
                     *       ],
                     *       "coverages": [
                     *         {
                     *           "value": "regional",
                     *           "label": "Regional",
                     *           "count": 12
                     *         }
                     *       ],
                     *       "city_sizes": [
                     *         {
                     *           "value": "large",
                     *           "label": "Large",
                     *           "count": 2
                     *         }
                     *       ],
                     *       "languages": [
                     *         {
                     *           "value": "en",
                     *           "label": "English",
                     *           "count": 12
                     *         }
                     *       ],
                     *       "tags": [
                     *         {
                     *           "value": "Harbour Media Group",
                     *           "label": "Harbour Media Group",
                     *           "count": 2
                     *         }
                     *       ],
                     *       "more": {
                     *         "tags": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Facets"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    lookUpRecords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "outlet-harbour-times"
                 *       ],
                 *       "domains": [
                 *         "unheard-of.example"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Ids of records. At most 100 in all. */
                    ids?: string[] | null;
                    /** @description Hosts, URLs or email addresses, which count as their hosts. At most 100 in all. */
                    domains?: string[] | null;
                    /** @description Only these keys of a record, in the order of records; `id` always. */
                    fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[] | null;
                };
            };
        };
        responses: {
            /** @description A record or null for each, masked like in searches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "asked": "outlet-harbour-times",
                     *           "record": {
                     *             "id": "outlet-harbour-times",
                     *             "kind": "outlet",
                     *             "name": "The Harbour Times",
                     *             "aliases": [
                     *               "Harbour Times"
                     *             ],
                     *             "url": "https://harbour-times.example/",
                     *             "description": "News of the harbour and the towns around it.",
                     *             "language": "en",
                     *             "continent": "europe",
                     *             "country": "GB",
                     *             "country_name": "United Kingdom",
                     *             "region": "England",
                     *             "city": "Leeds",
                     *             "city_size": "large",
                     *             "type": "newspaper",
                     *             "categories": [
                     *               "general_news",
                     *               "politics"
                     *             ],
                     *             "coverage": "regional",
                     *             "contact_name": "Ada Quill",
                     *             "contact_title": "News editor",
                     *             "email": "a***@harbour-times.example",
                     *             "email_status": "valid",
                     *             "email_source": null,
                     *             "last_verified_at": "2026-10-02T00:00:00.000Z",
                     *             "phone": null,
                     *             "audience": 90000,
                     *             "frequency": "daily",
                     *             "feed_url": "https://harbour-times.example/feed",
                     *             "platform": null,
                     *             "linkedin_url": null,
                     *             "updated_at": "2026-10-02T08:15:00.000Z",
                     *             "tags": [
                     *               "Harbour Media Group"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "asked": "unheard-of.example",
                     *           "record": null
                     *         }
                     *       ],
                     *       "masked": true
                     *     }
                     */
                    "application/json": components["schemas"]["Lookup"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    findRecord: {
        parameters: {
            query?: {
                /** @description Only these keys of a record, in the order of records; `id` always. Separate the names with commas or repeat the parameter; at most 100 names. */
                fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[];
            };
            header?: never;
            path: {
                /** @description The record's id, from a search. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record, masked like in searches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "outlet-harbour-times",
                     *       "kind": "outlet",
                     *       "name": "The Harbour Times",
                     *       "aliases": [
                     *         "Harbour Times"
                     *       ],
                     *       "url": "https://harbour-times.example/",
                     *       "description": "News of the harbour and the towns around it.",
                     *       "language": "en",
                     *       "continent": "europe",
                     *       "country": "GB",
                     *       "country_name": "United Kingdom",
                     *       "region": "England",
                     *       "city": "Leeds",
                     *       "city_size": "large",
                     *       "type": "newspaper",
                     *       "categories": [
                     *         "general_news",
                     *         "politics"
                     *       ],
                     *       "coverage": "regional",
                     *       "contact_name": "Ada Quill",
                     *       "contact_title": "News editor",
                     *       "email": "a***@harbour-times.example",
                     *       "email_status": "valid",
                     *       "email_source": null,
                     *       "last_verified_at": "2026-10-02T00:00:00.000Z",
                     *       "phone": null,
                     *       "audience": 90000,
                     *       "frequency": "daily",
                     *       "feed_url": "https://harbour-times.example/feed",
                     *       "platform": null,
                     *       "linkedin_url": null,
                     *       "updated_at": "2026-10-02T08:15:00.000Z",
                     *       "tags": [
                     *         "Harbour Media Group"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Record"] | components["schemas"]["SelectedRecord"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The record is a duplicate that was merged into another one: `Location` is the path of that one. */
            308: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    findSimilar: {
        parameters: {
            query?: {
                /** @description The page number, from 1. All pages together have at most 50 records. */
                page?: number;
                /** @description Records per page, at most 50. */
                per_page?: number;
                /** @description Only these keys of a record, in the order of records; `id` always. Separate the names with commas or repeat the parameter; at most 100 names. */
                fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[];
            };
            header?: never;
            path: {
                /** @description The record's id, from a search. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of similar records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "outlet-harbour-times",
                     *           "kind": "outlet",
                     *           "name": "The Harbour Times",
                     *           "aliases": [
                     *             "Harbour Times"
                     *           ],
                     *           "url": "https://harbour-times.example/",
                     *           "description": "News of the harbour and the towns around it.",
                     *           "language": "en",
                     *           "continent": "europe",
                     *           "country": "GB",
                     *           "country_name": "United Kingdom",
                     *           "region": "England",
                     *           "city": "Leeds",
                     *           "city_size": "large",
                     *           "type": "newspaper",
                     *           "categories": [
                     *             "general_news",
                     *             "politics"
                     *           ],
                     *           "coverage": "regional",
                     *           "contact_name": "Ada Quill",
                     *           "contact_title": "News editor",
                     *           "email": "a***@harbour-times.example",
                     *           "email_status": "valid",
                     *           "email_source": null,
                     *           "last_verified_at": "2026-10-02T00:00:00.000Z",
                     *           "phone": null,
                     *           "audience": 90000,
                     *           "frequency": "daily",
                     *           "feed_url": "https://harbour-times.example/feed",
                     *           "platform": null,
                     *           "linkedin_url": null,
                     *           "updated_at": "2026-10-02T08:15:00.000Z",
                     *           "tags": [
                     *             "Harbour Media Group"
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "per_page": 20,
                     *       "total_pages": 1,
                     *       "masked": true
                     *     }
                     */
                    "application/json": components["schemas"]["SearchPage"] | components["schemas"]["SelectedSearchPage"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The record is a duplicate that was merged into another one: `Location` is the path of that one. */
            308: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    export: {
        parameters: {
            query?: {
                /** @description Kind of record. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                kind?: ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter") | ("outlet" | "podcast" | "newsletter" | "!outlet" | "!podcast" | "!newsletter")[];
                /** @description Main language, as a BCP 47 tag. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                language?: (string) | (string)[];
                /** @description Continent; derived from the country if the source has none. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                continent?: ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america") | ("africa" | "antarctica" | "asia" | "europe" | "north_america" | "oceania" | "south_america" | "!africa" | "!antarctica" | "!asia" | "!europe" | "!north_america" | "!oceania" | "!south_america")[];
                /** @description ISO 3166-1 alpha-2 code. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                country?: (string) | (string)[];
                /** @description State, province or region. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                region?: string | string[];
                /** @description City or town. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city?: string | string[];
                /** @description Size class of the city by population. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                city_size?: ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega") | ("town" | "small" | "medium" | "large" | "mega" | "!town" | "!small" | "!medium" | "!large" | "!mega")[];
                /** @description Type of outlet; null for podcasts and newsletters. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                type?: ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other") | ("newspaper" | "magazine" | "journal" | "tv" | "radio" | "online" | "blog" | "wire" | "other" | "!newspaper" | "!magazine" | "!journal" | "!tv" | "!radio" | "!online" | "!blog" | "!wire" | "!other")[];
                /** @description Topics. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                category?: ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other") | ("arts" | "automotive" | "business" | "climate" | "comedy" | "crime" | "culture" | "education" | "entertainment" | "faith" | "fashion" | "finance" | "food" | "gaming" | "general_news" | "health" | "history" | "home" | "kids" | "legal" | "local_news" | "music" | "parenting" | "politics" | "science" | "society" | "sports" | "technology" | "travel" | "other" | "!arts" | "!automotive" | "!business" | "!climate" | "!comedy" | "!crime" | "!culture" | "!education" | "!entertainment" | "!faith" | "!fashion" | "!finance" | "!food" | "!gaming" | "!general_news" | "!health" | "!history" | "!home" | "!kids" | "!legal" | "!local_news" | "!music" | "!parenting" | "!politics" | "!science" | "!society" | "!sports" | "!technology" | "!travel" | "!other")[];
                /** @description Geographic reach. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                coverage?: ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international") | ("local" | "regional" | "national" | "international" | "!local" | "!regional" | "!national" | "!international")[];
                /** @description Result of verifying the address. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                email_status?: ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown") | ("valid" | "invalid" | "accept_all" | "webmail" | "disposable" | "unknown" | "!valid" | "!invalid" | "!accept_all" | "!webmail" | "!disposable" | "!unknown")[];
                /** @description Topics that are no category, communities, owners, formats: as the sources have them. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                tag?: string | string[];
                /** @description 1: only records with a known contact_name. 0: all records. */
                named?: boolean;
                /** @description 1: only records with a known email. 0: all records. */
                has_email?: boolean;
                /** @description Ids of records. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                id?: string | string[];
                /** @description Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos. For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most 100 values. */
                domain?: (string) | (string)[];
                /** @description When the address was last verified: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                verified_since?: string;
                /** @description Readers, listeners or subscribers: this number or more. Leaves out records where it is unknown. */
                min_audience?: number;
                /** @description Readers, listeners or subscribers: this number or less. Leaves out records where it is unknown. */
                max_audience?: number;
                /** @description When the record last changed: at this time or later. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_since?: string;
                /** @description When the record last changed: before this time. Leaves out records where it is unknown. An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight. */
                updated_before?: string;
                /** @description What to search for: words, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most 500 characters, after NFC normalization and trimming. */
                q?: string;
                /** @description 1: `q` as it is typed, without typo tolerance. Use it to repeat a search whose answer says `corrected`. 0: typos are tolerated. */
                strict?: boolean;
                /** @description The id of a list of your account: only its records. Needs your key. */
                list?: string;
                /** @description csv: every field. ndjson: every field, a line of JSON for each record, as in answers of the API. xlsx: the fields of csv, as a workbook of at most 1,048,575 records. instantly, smartlead, lemlist: the import format of that tool. */
                format?: "csv" | "ndjson" | "xlsx" | "instantly" | "smartlead" | "lemlist";
                /** @description Only these keys of a record, in the order of records; `id` always. Separate the names with commas or repeat the parameter; at most 100 names. */
                fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[];
                /** @description 1: the file begins with a byte order mark, by which Excel knows it as UTF-8. Only for csv. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. CSV (RFC 4180) begins with a header line. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Content-Disposition": components["headers"]["FileName"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    "X-Excluded-Count": components["headers"]["ExcludedCount"];
                    Trailer?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example id,kind,name,… */
                    "text/csv": string;
                    /** @example {"id":"outlet-harbour-times","kind":"outlet","name":"The Harbour Times",…} */
                    "application/x-ndjson": string;
                    /** @example PK… */
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid.key_missing"];
            403: components["responses"]["plan_required.plan_expired"];
            422: components["responses"]["too_many_rows"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    pushLeads: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tool": "instantly",
                 *       "api_key": "your-key-for-the-tool",
                 *       "campaign_id": "7f1c2d3e-0000-4000-8000-123456789abc",
                 *       "filters": {
                 *         "kind": "outlet",
                 *         "country": [
                 *           "US",
                 *           "CA"
                 *         ],
                 *         "category": "technology"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The tool to push to.
                     * @enum {string}
                     */
                    tool: "instantly" | "smartlead";
                    /** @description Your own API key for the tool, ASCII without spaces. It is used for this push and never stored. */
                    api_key: string;
                    /** @description The campaign to add leads to, as a string. */
                    campaign_id: string;
                    /** @description The filters of /export by name. Values are strings or arrays of strings. */
                    filters?: {
                        [key: string]: string | string[];
                    };
                };
            };
        };
        responses: {
            /** @description What happened to the leads. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tool": "instantly",
                     *       "campaign_id": "7f1c2d3e-0000-4000-8000-123456789abc",
                     *       "matched": 120,
                     *       "without_email": 18,
                     *       "repeated": 2,
                     *       "sent": 100,
                     *       "added": 92,
                     *       "duplicates": 6,
                     *       "invalid": 1,
                     *       "blocked": 1,
                     *       "skipped": 0,
                     *       "failed": 0,
                     *       "details": {
                     *         "leads_uploaded": 92,
                     *         "duplicated_leads": 6,
                     *         "invalid_email_count": 1,
                     *         "in_blocklist": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Push"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid.key_missing"];
            403: components["responses"]["plan_required.plan_expired"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["too_many_leads.tool_key_rejected.campaign_not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["tool_failed"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    findLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your lists. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lists": [
                     *         {
                     *           "id": "lst_5f0c9a17d2e84b6f93a1c0de",
                     *           "name": "Spring launch",
                     *           "count": 24,
                     *           "created_at": "2026-11-02T09:00:00.000Z",
                     *           "updated_at": "2026-11-20T16:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Lists"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    createList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring launch"
                 *     }
                 */
                "application/json": {
                    /** @description What the list is called. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The new list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ListVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_5f0c9a17d2e84b6f93a1c0de",
                     *       "name": "Spring launch",
                     *       "count": 0,
                     *       "created_at": "2026-11-02T09:00:00.000Z",
                     *       "updated_at": "2026-11-20T16:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["List"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            403: components["responses"]["plan_expired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["too_many_lists"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    readList: {
        parameters: {
            query?: {
                /** @description Only entries of this status. For several, repeat the parameter or separate them with |. */
                status?: ("to_contact" | "contacted" | "replied" | "declined" | "published" | "none") | ("to_contact" | "contacted" | "replied" | "declined" | "published" | "none")[];
                /** @description relevance: best match first. name: A to Z. audience: largest first. updated: newest first. Put - in front to reverse the order. */
                sort?: "relevance" | "-relevance" | "name" | "-name" | "audience" | "-audience" | "updated" | "-updated";
                /** @description Only these keys of a record, in the order of records; `id` always. Separate the names with commas or repeat the parameter; at most 100 names. */
                fields?: ("id" | "kind" | "name" | "aliases" | "url" | "description" | "language" | "continent" | "country" | "country_name" | "region" | "city" | "city_size" | "type" | "categories" | "coverage" | "contact_name" | "contact_title" | "email" | "email_status" | "email_source" | "last_verified_at" | "phone" | "audience" | "frequency" | "feed_url" | "platform" | "linkedin_url" | "updated_at" | "tags")[];
                /** @description The page number, from 1. page × per_page must not exceed 10,000. */
                page?: number;
                /** @description Records per page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The id of the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ListVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_5f0c9a17d2e84b6f93a1c0de",
                     *       "name": "Spring launch",
                     *       "count": 1,
                     *       "created_at": "2026-11-02T09:00:00.000Z",
                     *       "updated_at": "2026-11-20T16:30:00.000Z",
                     *       "left": 0,
                     *       "results": [
                     *         {
                     *           "record": {
                     *             "id": "outlet-harbour-times",
                     *             "kind": "outlet",
                     *             "name": "The Harbour Times",
                     *             "aliases": [
                     *               "Harbour Times"
                     *             ],
                     *             "url": "https://harbour-times.example/",
                     *             "description": "News of the harbour and the towns around it.",
                     *             "language": "en",
                     *             "continent": "europe",
                     *             "country": "GB",
                     *             "country_name": "United Kingdom",
                     *             "region": "England",
                     *             "city": "Leeds",
                     *             "city_size": "large",
                     *             "type": "newspaper",
                     *             "categories": [
                     *               "general_news",
                     *               "politics"
                     *             ],
                     *             "coverage": "regional",
                     *             "contact_name": "Ada Quill",
                     *             "contact_title": "News editor",
                     *             "email": "a***@harbour-times.example",
                     *             "email_status": "valid",
                     *             "email_source": null,
                     *             "last_verified_at": "2026-10-02T00:00:00.000Z",
                     *             "phone": null,
                     *             "audience": 90000,
                     *             "frequency": "daily",
                     *             "feed_url": "https://harbour-times.example/feed",
                     *             "platform": null,
                     *             "linkedin_url": null,
                     *             "updated_at": "2026-10-02T08:15:00.000Z",
                     *             "tags": [
                     *               "Harbour Media Group"
                     *             ]
                     *           },
                     *           "note": "Met in May",
                     *           "status": "contacted",
                     *           "added_at": "2026-11-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "per_page": 20,
                     *       "total_pages": 1,
                     *       "masked": true
                     *     }
                     */
                    "application/json": components["schemas"]["ListPage"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    deleteList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer about the list: only that version is written. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            404: components["responses"]["not_found"];
            412: components["responses"]["list_changed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    renameList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer about the list: only that version is written. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring launch"
                 *     }
                 */
                "application/json": {
                    /** @description What the list is called. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ListVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_5f0c9a17d2e84b6f93a1c0de",
                     *       "name": "Spring launch",
                     *       "count": 24,
                     *       "created_at": "2026-11-02T09:00:00.000Z",
                     *       "updated_at": "2026-11-20T16:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["List"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            403: components["responses"]["plan_expired"];
            404: components["responses"]["not_found"];
            412: components["responses"]["list_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    writeListRecords: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer about the list: only that version is written. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "add": [
                 *         {
                 *           "id": "outlet-harbour-times",
                 *           "note": "Met in May",
                 *           "status": "to_contact"
                 *         }
                 *       ],
                 *       "remove": [
                 *         "podcast-low-tide"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Records to add, or to change if the list has them. */
                    add?: {
                        id: string;
                        /** @description Null or empty clears it; absent keeps what the list has. */
                        note?: string | null;
                        /**
                         * @description Absent keeps what the list has, at first none.
                         * @enum {string}
                         */
                        status?: "to_contact" | "contacted" | "replied" | "declined" | "published" | "none";
                    }[] | null;
                    remove?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ListVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_5f0c9a17d2e84b6f93a1c0de",
                     *       "name": "Spring launch",
                     *       "count": 24,
                     *       "created_at": "2026-11-02T09:00:00.000Z",
                     *       "updated_at": "2026-11-20T16:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["List"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            403: components["responses"]["plan_expired"];
            404: components["responses"]["not_found"];
            412: components["responses"]["list_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["list_full"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable.search_unavailable"];
        };
    };
    startSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": "mh_…"
                 *     }
                 */
                "application/json": {
                    /** @description The API key to sign in with, as a string. */
                    api_key: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9f2c4b7a1d3e5f60",
                     *       "browser": "Firefox on Windows",
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "expires_at": "2026-12-20T09:00:00.000Z",
                     *       "current": true
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            403: components["responses"]["origin_not_allowed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser is signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            403: components["responses"]["origin_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    findSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions of your account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "9f2c4b7a1d3e5f60",
                     *           "browser": "Firefox on Windows",
                     *           "created_at": "2026-11-20T09:00:00.000Z",
                     *           "expires_at": "2026-12-20T09:00:00.000Z",
                     *           "current": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Sessions"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    endSessionOf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    readAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan of your key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": "pro",
                     *       "status": "active",
                     *       "expires_at": "2026-12-21T12:00:00.000Z",
                     *       "key_prefix": "mh_4fT9xQ2b",
                     *       "order_id": "ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13",
                     *       "billing_portal_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    readUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "date": "2026-11-21",
                     *           "requests": 1204,
                     *           "exported_rows": 25310,
                     *           "pushed_leads": 400
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": {
                    /** @description How long the key that you send goes on, 24 unless you say. 0 ends it at once, as after a leak. */
                    overlap_hours?: number | null;
                };
            };
        };
        responses: {
            /** @description The new key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key": "mh_…",
                     *       "key_prefix": "mh_7hG2mW0c",
                     *       "old_key_expires_at": "2026-11-22T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_missing.key_invalid"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All plans with their prices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plans": [
                     *         {
                     *           "tier": "pro",
                     *           "price": 4900,
                     *           "currency": "USD",
                     *           "days": 30,
                     *           "includes": [
                     *             "full email addresses in search",
                     *             "outlets as CSV",
                     *             "600 requests a minute"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Plans"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tier": "pro",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The plan to buy.
                     * @enum {string}
                     */
                    tier: "pro" | "premium";
                    /** @description The buyer's email address, for the receipt and for operators to find the order. Null or an empty text counts as absent. */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The order and its payment page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkout_url": "https://masthead.example/sandbox/ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13",
                     *       "order_id": "ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13",
                     *       "claim_token": "PzSx0yWz0bX6k5Rr2m0bqfQyq3i3xw8o2n9c1t7u4aE"
                     *     }
                     */
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["key_invalid"];
            409: components["responses"]["idempotency_conflict"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["payment_failed"];
            503: components["responses"]["store_unavailable"];
        };
    };
    readOrder: {
        parameters: {
            query?: {
                /** @description The claim_token from POST /checkout. */
                claim_token?: string;
            };
            header?: never;
            path: {
                /** @description The order_id from POST /checkout. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order_id": "ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13",
                     *       "status": "paid",
                     *       "tier": "pro",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "paid_at": "2026-11-21T12:01:30.000Z",
                     *       "plan_expires_at": "2026-12-21T12:01:30.000Z",
                     *       "key_claimed_at": "2026-11-21T12:02:00.000Z",
                     *       "renews": null
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["invalid_request"];
            404: components["responses"]["order_not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Stripe's signature. Without a valid one the answer is 400. */
                "Stripe-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1PgafmB7WZ01zgkW6dKueIc5",
                 *       "type": "checkout.session.completed"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The event is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "handled"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        outcome: "handled" | "repeated" | "held" | "ignored";
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            500: components["responses"]["internal"];
            503: components["responses"]["store_unavailable"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is up. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service can answer searches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ready";
                    };
                };
            };
            /** @description The service is not ready; `missing` says why. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not ready",
                     *       "missing": [
                     *         "the search index does not answer"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "not ready";
                        missing: string[];
                    };
                };
            };
        };
    };
    sendStripeEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Stripe's signature. Made with the secret of the endpoint. */
                "Stripe-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1PgafmB7WZ01zgkW6dKueIc5",
                 *       "type": "checkout.session.completed"
                 *     }
                 */
                "application/json": components["schemas"]["PaymentEvent"];
            };
        };
        responses: {
            /** @description The event is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "handled"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        outcome: "handled" | "repeated" | "held" | "ignored";
                    };
                };
            };
        };
    };
}
