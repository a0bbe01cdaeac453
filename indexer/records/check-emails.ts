import { Readable } from 'node:stream';
import { firstContact, withFirstContact } from '#records/contacts/first-contact.ts';
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

export interface CheckSummary {
  checked: number;
  domains: number;
  found: Record<Finding, number>;
  changed: number;
  left_out: { suppressed: number; verified_recently: number; changed_meanwhile: number };
  /** Why the check ended early; null if it did not. */
  stopped: string | null;
}

const batchSize = 500;
/** How many domains are looked up at the same time, because some resolvers take seconds to give up. */
const domainsAtOnce = 200;

interface AskedDomain {
  domain: string;
  answer: DomainAnswer;
}

/**
 * Checks the addresses of records, and looks up each domain once. A record is changed only if its address is still at that
 * domain. The resolver is checked before each batch is written, because a broken one may deny every name. If it is broken,
 * the check ends, `stopped` says why, and earlier batches stay.
 */
export async function checkEmails(options: CheckOptions): Promise<CheckSummary> {
  const { mailDomains, onProgress } = options;
  const summary: CheckSummary = {
    checked: 0,
    domains: 0,
    changed: 0,
    stopped: null,
    found: Object.fromEntries(findings.map((finding) => [finding, 0])) as CheckSummary['found'],
    left_out: { suppressed: 0, verified_recently: 0, changed_meanwhile: 0 },
  };
  const list = await listDomains(options, summary);
  const total = [...list.values()].reduce((count, ids) => count + ids.length, 0);
  let batch = new Map<string, AskedDomain>();
  const write = async () => {
    await mailDomains.check();
    await writeBatch(options, batch, summary);
    batch = new Map();
    onProgress(summary.checked, total);
  };
  const answers = Readable.from(list).map(
    async ([domain, ids]: [string, string[]]) => ({ domain, ids, answer: await mailDomains.lookUp(domain) }),
    { concurrency: domainsAtOnce },
  );
  try {
    for await (const asked of answers as AsyncIterable<AskedDomain & { ids: string[] }>) {
      summary.domains += 1;
      for (const id of asked.ids) {
        batch.set(id, asked);
        if (batch.size >= batchSize) await write();
      }
    }
    if (batch.size > 0) await write();
  } catch (error) {
    if (!(error instanceof ResolverFault)) throw error;
    summary.stopped = error.message;
  }
  return summary;
}

/** The ids of the records to check, by the domain of their address. */
async function listDomains(
  { source, suppressed, verifiedBefore, onProgress }: CheckOptions,
  { left_out: leftOut }: CheckSummary,
): Promise<Map<string, string[]>> {
  const limit = verifiedBefore?.toISOString() ?? null;
  const list = new Map<string, string[]>();
  let read = 0;
  for await (const records of source) {
    const keys = await suppressed();
    for (const record of records) {
      const { email, last_verified_at: verifiedAt } = firstContact(record);
      const domain = email === null ? null : domainOfAddress(email);
      if (domain === null) continue;
      if (withoutSuppressed(record, keys) === null) leftOut.suppressed += 1;
      else if (limit !== null && (verifiedAt ?? '') >= limit) leftOut.verified_recently += 1;
      else if (!list.get(domain)?.push(record.id)) list.set(domain, [record.id]);
    }
    read += records.length;
    onProgress(read, null);
  }
  return list;
}

/** @param batch by record id: the domain that was looked up, and the answer */
async function writeBatch(
  { records, suppressed, changeSet }: CheckOptions,
  batch: ReadonlyMap<string, AskedDomain>,
  summary: CheckSummary,
): Promise<void> {
  const keys = await suppressed();
  const at = new Date().toISOString();
  /** Null if the record was suppressed meanwhile, or if its address is now at another domain. */
  const findingOf = (record: MediaRecord): Finding | null => {
    const asked = batch.get(record.id);
    const visible = withoutSuppressed(record, keys);
    if (asked === undefined || visible === null) return null;
    const { email } = firstContact(visible);
    if (email === null) return null;
    return domainOfAddress(email) === asked.domain ? assessAddress(record, asked.domain, asked.answer) : null;
  };
  const amendment = (record: MediaRecord) => {
    const finding = findingOf(record);
    const checked = finding === null ? null : applyFinding(firstContact(record), finding, at);
    return checked && { contacts: withFirstContact(record, checked) };
  };
  const ids = [...batch.keys()];
  const amended = await records.amend(ids, amendment, changeSet);
  summary.left_out.changed_meanwhile += batch.size - amended.length;
  for (const { before, after } of amended) {
    const finding = findingOf(before);
    if (finding !== null) {
      summary.checked += 1;
      summary.found[finding] += 1;
      if (firstContact(before).email_status !== firstContact(after).email_status) summary.changed += 1;
    } else if (withoutSuppressed(before, keys) === null) summary.left_out.suppressed += 1;
    else summary.left_out.changed_meanwhile += 1;
  }
}
