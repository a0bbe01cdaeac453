/** All that the pages say. */

/** @type {(count: number) => string} */
const write = (count) => count.toLocaleString('en');

export const text = {
  /** Where the browser refuses to keep something. */
  notStored:
    'Not saved: this browser’s storage for this page is full or blocked. Make room or allow it, then try again.',

  frame: {
    skip: 'Skip to the content',
    search: 'Search',
    plans: 'Plans',
    api: 'API',
    lists: 'Lists',
    mainNav: 'Main',
    reference: 'API reference',
    errors: 'Errors',
    openApi: 'OpenAPI',
    optOut: 'Are you listed here and want to be removed?',
    optOutAsk: 'Ask the operator of this service to hide the record.',
    optOutWrite: 'Write to',
    optOutRest: 'with the outlet or the address, and it will be hidden everywhere, for good.',
    needsScript: 'This page needs JavaScript.',
    sameInApi: 'The same is in the',
  },

  pages: {
    explorer: {
      title: 'Masthead: find media and their contacts',
      description: 'Search news outlets, podcasts and newsletters, with their contacts.',
    },
    plans: { title: 'Plans – Masthead', description: 'Plans, prices and what each plan includes.' },
    claim: { title: 'Your key – Masthead', description: 'Claim your API key.' },
    account: { title: 'Your key – Masthead', description: 'The plan of your key, its use, and how to replace it.' },
    docs: { title: 'API – Masthead', description: 'A guide of five minutes, and every operation of the API.' },
    errors: { title: 'Errors – Masthead', description: 'Every error code of the API, and what to do.' },
    lists: { title: 'Your lists – Masthead', description: 'Keep and export the records that you choose.' },
    media: { title: 'Not found – Masthead', description: 'A record of this media database.' },
    fault: { title: 'Masthead', description: 'What went wrong, and what to do.' },
  },

  search: {
    heading: 'Find newspapers, radio, podcasts, newsletters…',
    placeholder: 'tech newsletters, radio leeds, nytimes.com',
    submit: 'Search',
    searching: 'Searching…',
    results: 'Results',
    nothing: 'Nothing found',
    count: (/** @type {number} */ total) => (total === 1 ? '1 result' : `${write(total)} results`),
    page: (/** @type {number} */ page, /** @type {number} */ pages) => `page ${write(page)} of ${write(pages)}`,
    order: 'Order',
    sorts: {
      relevance: 'Best match',
      audience: 'Largest audience',
      name: 'Name, A to Z',
      updated: 'Newest first',
      '-audience': 'Smallest audience',
      '-name': 'Name, Z to A',
      '-updated': 'Oldest first',
    },
    apply: 'Apply',
    corrected: 'These results include similar spellings.',
    strict: (/** @type {string} */ query) => `Search for exactly “${query}”`,
    findNear: (/** @type {string} */ query) => `Find what is near in meaning to “${query}”`,
    byMeaning: 'These are the nearest in meaning; most need not have your words.',
    byWords: (/** @type {string} */ query) => `Search for the words “${query}”`,
    pastEnd: 'This page is past the end.',
    firstPage: 'Go to the first page',
    noMatch: 'No results match all of these filters.',
    noMatchAdvice: 'Try fewer words or filters. Small typos are tolerated.',
    removeFilters: 'Remove all filters',
    tryThis: 'These do:',
    without: (/** @type {string} */ drops) => `Without ${drops}`,
    /** @type {(name: string, value: string) => string} */
    instead: (name, value) => `With ${name}: ${value}`,
    masked: 'Emails are shown as',
    planShows: 'With a plan you see full addresses and can export:',
    seePlans: 'see plans',
    orKey: ', or enter your key above.',
    planEnded: 'Your plan has ended:',
    buyNew: 'buy a new one',
    toSeeFull: ' to see full addresses.',
  },

  overview: {
    label: 'What is in here',
    kinds: {
      /** @type {(count: number) => string} */
      outlet: (count) => (count === 1 ? 'outlet' : 'outlets'),
      /** @type {(count: number) => string} */
      podcast: (count) => (count === 1 ? 'podcast' : 'podcasts'),
      /** @type {(count: number) => string} */
      newsletter: (count) => (count === 1 ? 'newsletter' : 'newsletters'),
    },
    /** @type {(count: number) => string} */
    countries: (count) => (count === 1 ? 'country' : 'countries'),
    updated: 'last change',
    try: 'Try',
    /** @type {readonly (readonly [string, string])[]} */
    examples: [
      ['tech newsletters', 'q=tech+newsletters'],
      ['radio stations in the UK', 'q=radio&country=GB'],
      ['business podcasts', 'kind=podcast&category=business'],
      ['newspapers in Germany', 'country=DE&type=newspaper'],
      ['noticias miami', 'q=noticias+miami'],
    ],
    sample: 'Sample data.',
    sampleRest: 'The records here are invented. The first import of your own replaces them:',
  },

  filters: {
    label: 'Filters',
    show: (/** @type {number} */ chosen) => (chosen === 0 ? 'Filters' : `Filters (${write(chosen)})`),
    done: (/** @type {number} */ total) => `Show ${total === 1 ? '1 result' : `${write(total)} results`}`,
    lookUp: 'Look up',
    lookUpIn: (/** @type {string} */ list) => `Look up in ${list.toLowerCase()}`,
    showFewer: 'Show fewer',
    showAll: (/** @type {number} */ count) => `Show all ${write(count)}`,
    ofList: (/** @type {string} */ list) => `of ${list.toLowerCase()}`,
    /** A slider of this bound. */
    drag: (/** @type {string} */ label) => `${label}, to drag`,
    any: 'any',
    add: 'Add',
    chosen: 'Chosen filters',
    remove: 'Remove filter',
    clear: 'Clear all',
    /** Such as `Country: not Germany`. @type {(label: string, value: string, isNegated: boolean) => string} */
    describe: (label, value, isNegated) => `${label}: ${isNegated ? 'not ' : ''}${value}`,
    /** Labels that differ from the parameter's name. @type {Record<string, string>} */
    labels: {
      named: 'With a known contact person',
      has_email: 'With a known email',
      strict: 'Exactly as typed',
      match: 'Match',
    },
  },

  map: {
    heading: 'On a map',
    loading: 'Loading the map…',
    missing: 'The map could not be loaded. Close and open it to try again.',
    legend: 'Results per country',
    list: 'The list “Country” among the filters has the same counts.',
    /** @type {(n: number) => string} */
    unmapped: (n) => (n === 1 ? 'One country is not on the map.' : `${write(n)} countries are not on the map.`),
  },

  record: {
    placeUnknown: 'Place unknown',
    topics: 'Topics',
    tags: 'Tags',
    noEmail: 'No email known',
    unchecked: 'Not checked',
    seeFull: 'See the full address',
    feed: 'Feed',
    linkedIn: 'LinkedIn',
    seen: 'Where the address was seen',
    website: 'Website',
    of: 'of',
    copyAddress: (/** @type {string} */ name) => `Copy the address of ${name}`,
    subscribers: 'subscribers',
    listeners: 'listeners',
    viewers: 'viewers',
    readers: 'readers',
  },

  bar: {
    select: (/** @type {string} */ name) => `Select ${name}`,
    selectAll: 'Select all on this page',
    selected: (/** @type {number} */ n) => `${write(n)} selected`,
    clear: 'Clear',
    keep: 'Keep',
    push: 'Push',
    code: 'As code',
    save: 'Save',
    keys: 'Keys',
    close: 'Close',
    keepIn: (/** @type {number} */ n) => (n === 1 ? 'Keep this record in' : `Keep ${write(n)} records in`),
    keepFirst: '(the first ones)',
    keeping: (/** @type {number} */ n) => `Keeping ${write(n)}…`,
    kept: (/** @type {number} */ n) => `${n === 1 ? '1 record is' : `${write(n)} records are`} in the list now.`,
    newList: 'Name of a new list',
    create: 'Create',
    listsNeed: 'Lists belong to a plan, with a note and a status for each record.',
    exportsNeed: 'Exports and pushes come with a plan.',
    needsKey: 'Enter your key above, or',
    seePlans: 'see the plans',
    /** @type {readonly (readonly [string, string])[]} */
    keysHelp: [
      ['/', 'search'],
      ['j', 'next row'],
      ['k', 'row before'],
      ['x', 'select the row'],
      ['Enter', 'open it beside the list'],
      ['Esc', 'close what is open'],
      ['e', 'export'],
      ['?', 'these keys'],
    ],
  },

  panel: { page: 'Page of its own', close: 'Close' },

  lists: {
    heading: 'Lists',
    lead: 'The media of a campaign in one place: whom you wrote to, who answered, and what you noted.',
    first: 'Name your first list, then keep records in it from a search, or paste names and domains.',
    loading: 'Looking up your lists…',
    size: (/** @type {number} */ n) => (n === 1 ? '1 record' : `${write(n)} records`),
    changed: 'changed',
    menu: 'Rename or delete',
    rename: 'Rename',
    delete: 'Delete this list',
    deleted: (/** @type {string} */ name) => `“${name}” is deleted.`,
    undo: 'Undo',
    undone: 'Undone.',
    setStatus: 'Set status',
    remove: 'Remove',
    removed: (/** @type {number} */ n) => `${n === 1 ? '1 record' : `${write(n)} records`} removed.`,
    /** @type {(n: number, status: string) => string} */
    marked: (n, status) => `${write(n)} marked as “${status}”.`,
    saved: (/** @type {string} */ name) => `${name} is saved.`,
    filter: 'Status',
    all: 'All',
    /** @type {Record<string, string>} */
    statuses: {
      to_contact: 'To contact',
      contacted: 'Contacted',
      replied: 'Replied',
      declined: 'Declined',
      published: 'Published',
      none: 'No status',
    },
    statusOf: (/** @type {string} */ name) => `Status of ${name}`,
    noteOn: (/** @type {string} */ name) => `Note on ${name}`,
    empty: 'Nothing is in this list yet.',
    emptyAdvice: 'Paste names, domains or addresses, or keep what you find in a',
    search: 'search',
    noneOfStatus: 'No record has this status.',
    masked: 'Your plan has ended: addresses are masked, and you can read and delete only.',
    since: (/** @type {string} */ date) => `Since you looked on ${date}:`,
    becameInvalid: (/** @type {number} */ n) =>
      n === 1 ? '1 address is invalid' : `${write(n)} addresses are invalid`,
    wereMerged: (/** @type {number} */ n) =>
      n === 1 ? '1 record is now part of another' : `${write(n)} records are now part of others`,
    haveLeft: (/** @type {number} */ n) => (n === 1 ? '1 record is gone' : `${write(n)} records are gone`),
  },

  fill: {
    label: 'Paste',
    paste: 'Names, domains or email addresses, one a line',
    example: 'The Harbour Times\nnytimes.com\ndesk@example.org',
    find: 'Find them',
    /** @type {(done: number, total: number) => string} */
    looking: (done, total) => `${write(done)} of ${write(total)}…`,
    /** @type {(found: number, choices: number, missing: number) => string} */
    summary: (found, choices, missing) =>
      `${write(found)} found, ${write(choices)} to choose from, ${write(missing)} not found`,
    missing: (/** @type {number} */ n) => `${write(n)} not found`,
    add: 'Add to the list',
    again: 'Paste something else',
  },

  compare: {
    label: 'Compare',
    differs: 'differs',
    first: (/** @type {number} */ n) => `The first ${write(n)} of those selected.`,
  },

  push: {
    heading: 'Push into a campaign',
    tool: 'Tool',
    campaign: 'Campaign ID',
    key: 'Your key for the tool',
    keyNote: 'It is sent once with the push, and kept nowhere.',
    preview: 'Preview',
    invalid: 'This push is not valid',
    nobody: 'None of these records has an address that is not known to be invalid.',
    found: (/** @type {number} */ total, /** @type {number} */ shown) =>
      `${total === 1 ? '1 record has' : `${write(total)} records have`} an address that is not known to be invalid. ${total > shown ? `The first ${write(shown)}:` : ''}`,
    send: (/** @type {number} */ n) => (n === 1 ? 'Push 1 lead' : `Push ${write(n)} leads`),
    sending: 'Pushing. It goes on if you leave this page, but then you do not see the counts.',
    done: 'Pushed',
    partly: 'What was pushed before it failed',
    /** @type {Record<string, string>} */
    counts: {
      matched: 'Records found',
      without_email: 'Without an address, or only an invalid one',
      repeated: 'Same address as another one',
      sent: 'Sent to the tool',
      added: 'Added to the campaign',
      duplicates: 'Already in the campaign',
      invalid: 'Not reachable by mail',
      blocked: 'Blocked or unsubscribed',
      skipped: 'Left out by the tool',
      failed: 'Failed',
    },
  },

  searches: {
    save: 'Save this search',
    name: 'Name of the search',
    submit: 'Save',
    /** @type {(name: string) => string} */
    saved: (name) => `“${name}” is among`,
    see: 'your lists',
    heading: 'Saved searches',
    /** @type {(count: number, date: string) => string} */
    news: (count, date) => (count === 0 ? `Nothing new since ${date}` : `${write(count)} new or changed since ${date}`),
    full: 'Not saved: this browser has no room for it, or keeps 20 searches already. Remove one in',
  },

  table: {
    label: 'View',
    cards: 'Rows',
    table: 'Table',
    choose: 'Columns',
    plans: 'See plans',
    /** @type {Record<string, string>} */
    columns: {
      name: 'Name',
      kind: 'Kind',
      place: 'Place',
      audience: 'Audience',
      contact: 'Contact',
      email: 'Email',
      trust: 'Trust',
      status: 'Status',
      note: 'Note',
      phone: 'Phone',
      language: 'Language',
      topics: 'Topics',
      tags: 'Tags',
      coverage: 'Coverage',
      frequency: 'Frequency',
      website: 'Website',
      about: 'About',
      verified: 'Verified',
      updated: 'Updated',
    },
  },

  media: {
    /** @type {(name: string) => string} */
    title: (name) => `${name} – Masthead`,
    back: 'Back to the search',
    reach: 'How to reach it',
    contact: 'Contact',
    email: 'Email',
    phone: 'Phone',
    details: 'What is known',
    kind: 'Kind',
    type: 'Type',
    country: 'Country',
    region: 'Region',
    city: 'City',
    language: 'Language',
    coverage: 'Coverage',
    audience: 'Audience',
    frequency: 'Frequency',
    /** Texts that are shown as they are, by their fields. */
    plain: { platform: 'Platform' },
    updated: 'Last change',
    similar: 'Others like it',
    json: 'This record as JSON',
    wrong: 'Something here is wrong',
    wrongSubject: (/** @type {string} */ name) => `Correction: ${name}`,
    remove: 'Take this off the list',
    removeSubject: (/** @type {string} */ name) => `Removal: ${name}`,
    askOperator: 'Something here is wrong, or should not be here? Ask the operator of this service.',
  },

  paging: {
    label: 'Pages of results',
    previous: '← Previous',
    previousPage: 'Previous page',
    next: 'Next →',
    nextPage: 'Next page',
    page: (/** @type {number} */ page) => `Page ${write(page)}`,
  },

  fault: {
    use: (/** @type {string} */ value) => `Use ${value}`,
    remove: (/** @type {string} */ name) => `Remove ${name}`,
    again: 'Try again now',
    /** @type {(seconds: number) => string} */
    retries: (seconds) => `This page tries again in ${seconds === 1 ? '1 second' : `${write(seconds)} seconds`}.`,
    /** @type {(seconds: number) => string} */
    wait: (seconds) => `Try again in ${seconds === 1 ? '1 second' : `${write(seconds)} seconds`}.`,
    /** What an error means for a person, and what to do about it. @type {Record<string, readonly [string, string]>} */
    byCode: {
      origin_not_allowed: ['Not from this page', 'Open the pages of the service itself.'],
      method_not_allowed: ['This cannot be done here', 'Reload the page.'],
      body_too_large: ['The request is too large', 'Leave something out.'],
      unsupported_media_type: ['The service cannot read the request', 'Reload the page.'],
      misdirected_request: [
        'The service does not answer to this name',
        'With the sandbox it answers only to localhost and loopback addresses.',
      ],
      list_changed: ['The list was changed elsewhere', 'Look at it again, and repeat what you still want.'],
      too_many_lists: ['You have as many lists as you can have', 'Delete one that you no longer need.'],
      list_full: ['The list is full', 'Remove some records, or use another list.'],
      too_many_rows: ['Too many rows for this format', 'Narrow the search, or choose another one.'],
      meaning_unavailable: ['No search by meaning here', 'Search for words.'],
      too_many_leads: ['Too many leads for one push', 'Choose fewer records.'],
      tool_key_rejected: ['The tool does not accept its key', 'Check the key for the tool. Nothing was sent.'],
      campaign_not_found: ['The tool does not have this campaign', 'Check the campaign ID. Nothing was sent.'],
      tool_failed: ['The tool failed', 'Push again later: no lead is added twice.'],
      idempotency_conflict: ['This was already used for another push', 'Press Preview and push again.'],
      internal: ['Something went wrong', 'The service failed and logged the error. Try again in a moment.'],
      not_stored: ['Nothing was ordered', ''],
      unreachable: ['The service cannot be reached', 'Check your connection.'],
      invalid_request: ['This search is not valid', 'Change or remove the part named below.'],
      page_too_deep: ['No more pages', 'You can page through the first 10,000 results. Narrow the search, or export.'],
      key_missing: ['This needs a key', 'Enter your key above, or choose a plan.'],
      key_invalid: [
        'This key is not accepted',
        'It is mistyped, unknown or was replaced. Enter it again, or continue without one.',
      ],
      plan_required: ['Your plan does not include this', 'See the plans for one that does.'],
      plan_expired: ['Your plan has ended', 'Emails are masked and you cannot export until you buy a new one.'],
      order_not_found: ['Order not found', 'Check the order number and the claim token.'],
      not_found: ['Not found', 'It may have been removed. Search for it by its name.'],
      rate_limited: ['Too many requests in a minute', 'The limit of a minute is used up.'],
      payment_failed: ['The payment could not be started', 'Nothing was bought. Try again in a moment.'],
      search_unavailable: ['Search is not available right now', 'It should be back soon.'],
      store_unavailable: ['The service is not available right now', 'It should be back soon.'],
    },
  },

  code: {
    heading: 'This search as code',
    /** @type {Record<string, string>} */
    ways: {
      curl: 'Search',
      export: 'All of it as a file',
    },
    copy: (/** @type {string} */ way) => `Copy the code for ${way}`,
    more: 'Clients for TypeScript and Python, and tools for models, are in the',
  },

  docs: {
    heading: 'API',
    lead: 'Search, count and export by program. For machines and people there are also:',
    errors: 'Errors',
    errorsLead:
      'Every error has the type `application/problem+json` (RFC 9457). Its `code` is stable and one of these.',
    openApi: 'the OpenAPI document',
    contents: 'Contents',
    shapes: 'Shapes',
  },

  guide: {
    heading: 'Five minutes',
    lead: 'Type these commands into a terminal. The first needs nothing else.',
    copy: 'Copy the commands',
    programs:
      'In the explorer, “This search as code” writes any search as a command. Models call the service at `/mcp`.',
    /** A heading and what it says, which may have marks of Markdown. @type {Record<string, readonly [string, string]>} */
    steps: {
      search: ['Search', 'You need no key. Emails are then masked. The answer has `total`, and 20 `results`.'],
      narrow: [
        'Narrow, count and page',
        'Filters can be combined; `|` separates several values. `facets` counts what a filter would find. `page=2` has more results, and so has the header `Link`.',
      ],
      key: [
        'Use a key',
        'A key shows full addresses. [Plans](plans) has what it costs. Set `KEY` to it, and send it in a header, never in a URL.',
      ],
      take: [
        'Export everything',
        'An export has every row that a search finds, as a file. A Pro plan exports outlets as CSV; Premium everything, in more formats.',
      ],
      errors: [
        'Know errors and limits',
        'An error says everything that is wrong, and suggests the right word. Look at its `code`: [Errors](docs/errors) explains each. After too many requests in a minute (429), wait as long as `Retry-After` says.',
      ],
    },
  },

  copy: {
    copy: 'Copy',
    copied: 'Copied',
    blocked: 'Your browser blocked copying. Select the text and copy it.',
  },

  account: {
    haveKey: 'I have a key',
    yourKey: 'Your key',
    use: 'Use key',
    note: 'Without the tick it stays in this tab and is forgotten when you close it.',
    stay: 'Stay signed in on this device',
    signOut: 'Sign out',
    forget: 'Forget key',
    notCopied: 'The new key was not copied yet, and it is never shown again.',
    forgetUncopied: 'Forget it all the same',
    keepUncopied: 'Keep it',
    until: (/** @type {string} */ date) => `until ${date}`,
    ended: (/** @type {string} */ date) => `ended on ${date}.`,
    buyAgain: 'Buy again',
  },

  key: {
    heading: 'Your key and its use',
    none: 'Enter your key above to see its plan and use. You have none?',
    seePlans: 'See the plans',
    plan: 'Plan',
    end: 'Ends',
    ended: 'ended',
    prefix: 'Key',
    order: 'Order',
    replaced: 'Replaced',
    replacedUntil: (/** @type {string} */ date) => `This key was replaced. It works until ${date}.`,
    portal: 'Payments and invoices',
    usage: (/** @type {number} */ days) => `Use of the last ${write(days)} days`,
    measures: { requests: 'requests', exported_rows: 'exported rows', pushed_leads: 'pushed leads' },
    /** @type {(measure: string, most: string) => string} */
    plot: (measure, most) => `Bars of ${measure} by day, at most ${most}. The table below has the numbers.`,
    asTable: 'As a table',
    day: 'Day (UTC)',
    sessions: 'Signed in',
    /** @type {(start: string, end: string) => string} */
    since: (start, end) => `since ${start}, at most until ${end}`,
    thisBrowser: 'this browser',
    rotate: 'Replace the key',
    rotateLead:
      'You get a new key for the same plan. The old one goes on for a while, so that you can change it in one program after another. After a leak, end it at once.',
    overlap: 'The old key goes on for',
    hours: (/** @type {number} */ hours) =>
      hours === 0 ? 'no time: it ends at once' : hours === 1 ? '1 hour' : `${write(hours)} hours`,
    rotateNow: 'Replace key',
    here: 'Here is your new key',
    used: 'This tab already uses it.',
    notUsed: 'This tab uses another key by now, or none.',
    oldUntil: (/** @type {string} */ moment) => `The old key works until ${moment}.`,
    lookingUp: 'Looking up your key…',
    /** What replacing the key does, to be confirmed. */
    endsNow:
      'This key ends at once. Should the answer be lost on its way, no key works until the operator of this service gives you another.',
    newerEnds: 'This key was replaced before: the newer key ends at once.',
    mayEnd:
      'If this key replaced another one that still works (up to 3 days), this key ends at once, whatever is chosen here.',
    /** After an answer that was lost. @type {(prefix: string, order: string | null) => string} */
    lost: (prefix, order) =>
      `The answer was lost, and your key (${prefix}…) may have ended. If it is not accepted, ask the operator of this service for another${order === null ? '' : ` and give the order number ${order}`}.`,
  },

  export: {
    format: 'Format of the file',
    outlets: 'Export outlets',
    selected: 'Export what is selected',
    /** @type {(count: number) => string} */
    leftOut: (count) =>
      count === 1
        ? '1 result of another kind is left out with your plan.'
        : `${write(count)} results of other kinds are left out with your plan.`,
    results: 'Export these results',
    seePlans: 'See plans',
    cutOff: 'The file was cut off',
    /** @type {(done: number, total: number) => string} */
    cutOffRest: (done, total) => `after ${write(done)} of ${write(total)} rows, so it was not saved. Export again.`,
    saved: (/** @type {number} */ rows) => `Saved ${write(rows)} rows.`,
    label: 'Export',
    /** @type {(done: number, total: number) => string} */
    progress: (done, total) => `${write(done)} of ${write(total)} rows`,
    cancel: 'Cancel',
  },

  plans: {
    heading: 'Plans',
    lead: 'Searching is free. A plan shows full email addresses and lets you export. One-time payment; no automatic renewal.',
    paid: 'Already paid?',
    claim: 'Claim your key',
    forDays: (/** @type {number} */ days) => `for ${write(days)} days`,
    email: 'Email for the receipt',
    optional: '(optional)',
    renews: (/** @type {string} */ date) => `This renews your key: the same key then works until ${date}.`,
    newKey: 'You get a new key. Your present one stays as it is.',
    buy: (/** @type {string} */ plan) => `Buy ${plan}`,
    renew: (/** @type {string} */ plan) => `Renew ${plan}`,
    noScript: 'Buying here needs JavaScript. Without it, order by the API, in a terminal:',
    noScriptClaim:
      'Open checkout_url of the answer to pay. Then GET /api/v1/orders/ORDER_ID?claim_token=CLAIM_TOKEN gives your key, once.',
    haveKey: 'You have a key?',
    compare: {
      heading: 'What each plan gives',
      without: 'Without a plan',
      with: 'With a plan',
      search: 'Search, filter and count',
      addresses: 'Email addresses',
      exportOutlets: 'Export of outlets',
      exportOthers: 'Export of podcasts and newsletters',
      push: 'Push of leads into campaigns',
      requests: 'Requests a minute',
      yes: 'yes',
      no: 'no',
      masked: 'masked',
      whole: 'in full, with their source',
      example: 'What a plan shows',
      invented: 'This record is invented.',
      medium: 'Outlet',
      hidden: 'hidden',
    },
  },

  claim: {
    heading: 'Your key',
    here: (/** @type {string} */ plan) => `Here is your ${plan} key`,
    copyNow: 'Copy it now and keep it safe.',
    once: 'It is shown only once; we store only a hash of it.',
    worksUntil: (/** @type {string} */ date) => `It works until ${date}. This tab already uses it:`,
    searchFull: 'Search with full addresses',
    order: (/** @type {string} */ plan) => `${plan} plan, order`,
    waiting: 'Waiting for your payment.',
    waitingRest: 'This page checks every five seconds. Keep it open.',
    waitingLabel: 'Waiting for the payment',
    given: (/** @type {string | null} */ date) =>
      `Paid, and the key was given out${date === null ? '' : ` on ${date}`}.`,
    givenRest: 'It is shown only once. If you lost it, ask the operator for a new one and give the order number.',
    refunded: 'This order was refunded.',
    refundedKey: 'Its key no longer works.',
    refundedRenewal: 'The days that it added to your key are taken back.',
    expired: 'The checkout has expired.',
    expiredRest: 'Nothing was paid.',
    startAgain: 'Start again',
    failed: 'The payment did not go through.',
    failedRest: 'Nothing was bought.',
    tryAgain: 'Try again',
    renewedKey: 'Your key',
    disputed: 'Paid, but the payment is disputed.',
    disputedRest: 'gets its days when the dispute is settled.',
    renewed: (/** @type {string} */ date) => `is renewed until ${date}.`,
    renewedPaid: 'Paid.',
    revoked: 'no longer works: it was revoked.',
    revokedRest: 'Give the operator the order number to get what you paid for.',
    renewedRest: 'It stays the same key: there is nothing to change.',
    lookingUp: 'Looking up your order…',
    noToken: 'This browser does not have the claim token of this order. You received it when you placed the order.',
    orderNumber: 'Order number',
    token: 'Claim token',
    submit: 'Claim key',
  },

  /** Values of vocabularies whose words are not those of their slug. @type {Record<string, string>} */
  words: { tv: 'TV' },
};
