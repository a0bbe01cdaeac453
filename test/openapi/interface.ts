/** What callers can rely on, taken from an OpenAPI document: one line a promise, such as `/paths/~1me/get/…: integer`. */
function listPromises(document: object): Set<string> {
  const promises = new Set<string>();
  collect(document, '', promises);
  return promises;
}

/** Wording, and where this installation is: may change at any time. */
const wording = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'info',
  'servers',
  'tags',
  'default',
]);

/** What a caller sends: it may become more, so each type and each alternative is a promise of its own. */
const input = /\/(requestBody|parameters)\//;

/** A whole answer: it may get another form, which callers have to ask for. */
const answer = /\/responses\/\d+\/content\/[^/]+\/[^/]+\/schema\/anyOf$/;

/** Keys that are absent only from a form of the answer that callers have to ask for: with `after` (contract A20). */
const absentIfAsked = /\/schemas\/(?:SearchPage|ContactPage)\/required\/(?:page|total_pages)$/;

/** What an answer is made of: shared schemas describe answers only. */
const ofAnswer = /^\/components\/schemas\/|\/responses\//;

function collect(value: unknown, path: string, promises: Set<string>): void {
  if (Array.isArray(value)) {
    // Of an answer, each required key is a promise. Of a request, `properties` says what may be left out.
    if (path.endsWith('/required') && !ofAnswer.test(path)) return;
    // What accepts another type or another form as well still accepts the old one.
    else if (input.test(path) && path.endsWith('/type')) for (const type of value) collect(type, path, promises);
    else if ((input.test(path) && path.endsWith('/anyOf')) || answer.test(path)) {
      for (const form of value) collect(form, path.slice(0, -'/anyOf'.length), promises);
    } else for (const [index, item] of value.entries()) collect(item, `${path}/${nameOf(item, index)}`, promises);
  } else if (typeof value === 'object' && value !== null) {
    promises.add(path);
    // A body that had to be sent may become optional, but none that may be left out becomes required.
    const isBody = path.endsWith('/requestBody');
    if (isBody && !('required' in value && value.required)) promises.add(`${path}: may be left out`);
    if ('properties' in value && !ofAnswer.test(path)) {
      const required = 'required' in value && Array.isArray(value.required) ? value.required : [];
      const optional = Object.keys(Object(value.properties)).filter((name) => !required.includes(name));
      for (const name of optional) promises.add(`${path}/properties/${name}: may be left out`);
    }
    for (const [key, item] of Object.entries(value)) {
      if (isBody && key === 'required') continue;
      // Under properties, names are not keywords.
      const isName = /\/(properties|paths|schemas|content|responses|headers)$/.test(path);
      const isShared = path === '/components' && key === 'responses';
      // Whether a new pattern accepts what the old one did cannot be told from their texts.
      const isPattern = key === 'pattern' && input.test(path);
      if (isName || !(wording.has(key) || isShared || isPattern)) collect(item, `${path}/${key}`, promises);
    }
  } else {
    if (absentIfAsked.test(path)) return;
    for (const part of referredTo(path, value)) promises.add(`${path}: ${part}`);
  }
}

/** A referenced answer is one error or several: each code is a promise. */
function referredTo(path: string, value: unknown): string[] {
  const prefix = '#/components/responses/';
  const isError = path.endsWith('/$ref') && typeof value === 'string' && value.startsWith(prefix);
  return isError ? value.slice(prefix.length).split('.') : [JSON.stringify(value)];
}

/** What identifies an entry of a list; its position means nothing. */
function nameOf(item: unknown, index: number): string {
  if (typeof item !== 'object' || item === null) return String(item);
  if ('name' in item && 'in' in item) return `${item.in} ${item.name}`;
  if ('type' in item) return `of type ${item.type}`;
  return String(index);
}

interface Versioned {
  info: { version: string };
}

/**
 * What is wrong with changing one document into the next; `notes` is docs/api-versions.md. Promises stay within one
 * major version; additions need a note, and a higher version unless the notes say that this one is in preparation.
 */
export function judgeChange(before: Versioned, after: Versioned, notes: string): string[] {
  const [majorBefore = 0, minorBefore = 0] = numbersOf(before);
  const [major = 0, minor = 0] = numbersOf(after);
  const [old, now] = [listPromises(before), listPromises(after)];
  const removed = [...old.difference(now)];
  const added = [...now.difference(old)];
  const isHigher = major > majorBefore || (major === majorBefore && minor > minorBefore);
  const faults: string[] = [];
  if (major === majorBefore) faults.push(...removed.map((promise) => `no longer holds: ${promise}`));
  if (added.length > 0 && !isHigher && !isInPreparation(after, notes)) {
    faults.push(...added.map((promise) => `new without a higher version: ${promise}`));
  }
  if (!notes.split('\n').includes(`## ${after.info.version}`)) {
    faults.push(`docs/api-versions.md has no section "## ${after.info.version}"`);
  }
  return faults;
}

/** Whether the section of a version begins with the words "In preparation": no release has it yet. */
function isInPreparation({ info }: Versioned, notes: string): boolean {
  return notes.includes(`\n## ${info.version}\n\nIn preparation`);
}

function numbersOf({ info }: Versioned): number[] {
  return info.version.split('.').map(Number);
}
