import { Readable } from 'node:stream';
import type { KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { RecordStore } from '#records/record-store.ts';
import { withoutSuppressed } from '#records/suppression.ts';
import {
  applyFinding,
  assessAddress,
  type DomainAnswer,
  domainOfAddress,
  type Finding,
  findings,
} from './assess-address.ts';
import { type MailDomains, ResolverFault } from './mail-domains.ts';

interface CheckOptions {
  records: Pick<RecordStore, 'amend'>;
  mailDomains: MailDomains;
  /** The records whose addresses to check, in any order. */
  source: AsyncIterable<readonly MediaRecord[]>;
  /** Returns the keys of all current suppressions. Called before each batch, because a run takes long. */
  suppressed: () => Promise<ReadonlySet<string>>;
  /** Checks only addresses that were last verified before this, or never; null for all. */
  verifiedBefore: Date | null;
  /** The change set to note changes in; null in a dry run. */
  changeSet: string | null;
  /** `total` is null while the records are read. */
  onProgress: (done: number, total: number | null) => void;
}

export type CheckSummary = ReturnType<typeof nothingChecked>;

function nothingChecked() {
  return {
    ...{ checked: 0, domains: 0, changed: 0 },
    /** Why the check ended early; null if it did not. */
    stopped: null as string | null,
    found: Object.fromEntries(findings.map((finding) => [finding, 0])) as Record<Finding, number>,
    left_out: { suppressed: 0, verified_recently: 0, changed_meanwhile: 0 },
  };
}

const batchSize = 500;
/** How many domains are looked up at the same time, because some resolvers take seconds to give up. */
const domainsAtOnce = 200;

interface AskedDomain {
  domain: string;
  answer: DomainAnswer;
}

/** A contact whose address to check. */
interface Place {
  recordId: string;
  contactId: string;
}

/** The domain that was looked up for each contact, by the ids of records and contacts. */
type Batch = Map<string, Map<string, AskedDomain>>;

/**
 * Checks the addresses of all contacts, and looks up each domain once. A contact is changed only if its address is still at that
 * domain. The resolver is checked before each batch is written, because a broken one may deny every name. If it is broken,
 * the check ends, `stopped` says why, and earlier batches stay.
 */
export async function checkEmails(options: CheckOptions): Promise<CheckSummary> {
  const { mailDomains, onProgress } = options;
  const summary = nothingChecked();
  const list = await listDomains(options, summary);
  const total = [...list.values()].reduce((count, places) => count + places.length, 0);
  let batch: Batch = new Map();
  let waiting = 0;
  const write = async () => {
    await mailDomains.check();
    await writeBatch(options, batch, summary);
    batch = new Map();
    waiting = 0;
    onProgress(summary.checked, total);
  };
  const answers = Readable.from(list).map(
    async ([domain, places]: [string, Place[]]) => ({ domain, places, answer: await mailDomains.lookUp(domain) }),
    { concurrency: domainsAtOnce },
  );
  try {
    for await (const domain of answers as AsyncIterable<AskedDomain & { places: Place[] }>) {
      summary.domains += 1;
      for (const { recordId, contactId } of domain.places) {
        batch.set(recordId, (batch.get(recordId) ?? new Map()).set(contactId, domain));
        waiting += 1;
        if (waiting >= batchSize) await write();
      }
    }
    if (batch.size > 0) await write();
  } catch (error) {
    if (!(error instanceof ResolverFault)) throw error;
    summary.stopped = error.message;
  }
  return summary;
}

/** The contacts to check, by the domain of their address. */
async function listDomains(
  { source, suppressed, verifiedBefore, onProgress }: CheckOptions,
  { left_out: leftOut }: CheckSummary,
): Promise<Map<string, Place[]>> {
  const limit = verifiedBefore?.toISOString() ?? null;
  const list = new Map<string, Place[]>();
  let recordCount = 0;
  for await (const records of source) {
    const keys = await suppressed();
    for (const record of records) {
      const visible = visibleIds(record, keys);
      for (const { id, email, last_verified_at: verifiedAt } of record.contacts) {
        const domain = email === null ? null : domainOfAddress(email);
        if (domain === null) continue;
        const place = { recordId: record.id, contactId: id };
        if (!visible.has(id)) leftOut.suppressed += 1;
        else if (limit !== null && (verifiedAt ?? '') >= limit) leftOut.verified_recently += 1;
        else if (!list.get(domain)?.push(place)) list.set(domain, [place]);
      }
    }
    recordCount += records.length;
    onProgress(recordCount, null);
  }
  return list;
}

/** The ids of the contacts that suppressions leave of a record. */
function visibleIds(record: MediaRecord, keys: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(withoutSuppressed(record, keys)?.contacts.map(({ id }) => id));
}

async function writeBatch(
  { records, suppressed, changeSet }: CheckOptions,
  batch: Batch,
  summary: CheckSummary,
): Promise<void> {
  const keys = await suppressed();
  const at = new Date().toISOString();
  /** Null if the contact was suppressed meanwhile, or if its address is now at another domain. */
  const findingOf = (record: MediaRecord, contact: KeptContact, visible: ReadonlySet<string>): Finding | null => {
    const domain = batch.get(record.id)?.get(contact.id);
    if (domain === undefined || contact.email === null || !visible.has(contact.id)) return null;
    return domainOfAddress(contact.email) === domain.domain
      ? assessAddress(record, domain.domain, domain.answer)
      : null;
  };
  const amendment = (record: MediaRecord) => {
    const visible = visibleIds(record, keys);
    const contacts = record.contacts.map((contact): KeptContact => {
      const finding = findingOf(record, contact, visible);
      return finding === null ? contact : { ...contact, ...applyFinding(contact, finding, at) };
    });
    return { contacts };
  };
  const amended = await records.amend([...batch.keys()], amendment, changeSet);
  const missing = new Set(batch.keys()).difference(new Set(amended.map(({ before }) => before.id)));
  for (const id of missing) summary.left_out.changed_meanwhile += batch.get(id)?.size ?? 0;
  for (const { before, after } of amended) {
    const visible = visibleIds(before, keys);
    const later = new Map(after.contacts.map((contact) => [contact.id, contact]));
    for (const id of batch.get(before.id)?.keys() ?? []) {
      const contact = before.contacts.find((stored) => stored.id === id);
      const finding = contact === undefined ? null : findingOf(before, contact, visible);
      if (finding !== null) {
        summary.checked += 1;
        summary.found[finding] += 1;
        if (contact?.email_status !== later.get(id)?.email_status) summary.changed += 1;
      } else if (contact !== undefined && !visible.has(id)) summary.left_out.suppressed += 1;
      else summary.left_out.changed_meanwhile += 1;
    }
  }
}
