import { Readable } from 'node:stream';
import type { MediaRecord } from '#records/media-record.ts';
import type { RecordStore } from '#records/record-store.ts';
import { isSuppressed } from '#records/suppression.ts';
import {
  applyFinding,
  assessAddress,
  type DomainAnswer,
  domainOfAddress,
  type Finding,
  findings,
} from './assess-address.ts';
import { type MailDomains, ResolverFault } from './mail-domains.ts';

interface CheckDeps {
  records: Pick<RecordStore, 'amend' | 'previewAmend'>;
  mailDomains: MailDomains;
}

interface CheckOptions {
  /** The records to choose from, in any order. */
  source: AsyncIterable<readonly MediaRecord[]>;
  /** The keys of all suppressions as of now; asked before each batch, as a run takes long. */
  suppressed: () => Promise<ReadonlySet<string>>;
  /** Only addresses that were last verified before this, or never; null for all. */
  verifiedBefore: Date | null;
  /** The change set that notes it; null to find out what would happen. */
  changeSet: string | null;
  /** `total` is null while the records are read. */
  onProgress?: (done: number, total: number | null) => void;
}

export interface CheckSummary {
  checked: number;
  domains: number;
  /** Questions to DNS. */
  questions: number;
  /** Checked addresses by what was found out. */
  found: Record<Finding, number>;
  /** Records whose status changed. */
  changed: number;
  /** Addresses that stay invalid, as somebody called them, although their domain takes mail. */
  kept_invalid: number;
  /** Records with an address that were not checked. */
  left_out: { suppressed: number; verified_recently: number; changed_meanwhile: number };
  /** What ended the check early; null if nothing did. */
  stopped: string | null;
}

/** Records that are written in one step. */
const batchSize = 500;
/** Domains that are asked about at a time, as some resolvers take seconds to give up. */
const domainsAtOnce = 200;

/**
 * Checks the addresses of records, domain by domain and those first that were verified longest ago. Each domain is
 * asked about once. A record is only changed if its address is still at the domain that was asked about. If the resolver fails,
 * `stopped` says so, and what was checked until then stays, without the denials that nothing confirmed.
 */
export async function checkEmails(deps: CheckDeps, options: CheckOptions): Promise<CheckSummary> {
  const summary = emptySummary();
  const list = await listDomains(options, summary);
  const total = list.reduce((count, { ids }) => count + ids.length, 0);
  try {
    for await (const batch of inBatches(askDomains(list, deps.mailDomains, summary))) {
      await writeConfirmed(deps, batch, options, summary);
      options.onProgress?.(summary.checked + summary.left_out.changed_meanwhile, total);
    }
  } catch (error) {
    if (!(error instanceof ResolverFault)) throw error;
    summary.stopped = error.message;
  }
  return { ...summary, questions: deps.mailDomains.questions };
}

function emptySummary(): CheckSummary {
  return {
    checked: 0,
    domains: 0,
    questions: 0,
    found: Object.fromEntries(findings.map((finding) => [finding, 0])) as Record<Finding, number>,
    changed: 0,
    kept_invalid: 0,
    left_out: { suppressed: 0, verified_recently: 0, changed_meanwhile: 0 },
    stopped: null,
  };
}

/** A domain of addresses that are to be checked. */
interface CheckedDomain {
  domain: string;
  /** When the address at it was verified that was verified longest ago; empty for never. */
  oldest: string;
  /** Of the records with an address at it. */
  ids: string[];
}

/** The domains to ask about, first that of the address that was verified longest ago. */
async function listDomains(
  { source, suppressed, verifiedBefore, onProgress }: CheckOptions,
  { left_out: leftOut }: CheckSummary,
): Promise<CheckedDomain[]> {
  const limit = verifiedBefore?.toISOString() ?? null;
  const list = new Map<string, CheckedDomain>();
  let read = 0;
  for await (const records of source) {
    const keys = await suppressed();
    for (const record of records) {
      const { id, email, last_verified_at: verifiedAt } = record;
      const domain = email === null ? null : domainOfAddress(email);
      if (domain === null) continue;
      if (isSuppressed(record, keys)) leftOut.suppressed += 1;
      else if (limit !== null && verifiedAt !== null && verifiedAt >= limit) leftOut.verified_recently += 1;
      else {
        const oldest = verifiedAt ?? '';
        const known = list.get(domain) ?? { domain, oldest, ids: [] };
        known.ids.push(id);
        if (oldest < known.oldest) known.oldest = oldest;
        list.set(domain, known);
      }
    }
    read += records.length;
    onProgress?.(read, null);
  }
  return [...list.values()].toSorted((a, b) => (a.oldest < b.oldest ? -1 : Number(a.oldest > b.oldest)));
}

interface AskedDomain extends CheckedDomain {
  answer: DomainAnswer;
}

/** Asks about many domains at a time; their answers come in the order of the list. */
async function* askDomains(
  list: readonly CheckedDomain[],
  mailDomains: MailDomains,
  summary: CheckSummary,
): AsyncGenerator<AskedDomain> {
  const ask = async (one: CheckedDomain): Promise<AskedDomain> => ({
    ...one,
    answer: await mailDomains.lookUp(one.domain),
  });
  const answers: AsyncIterable<AskedDomain> = Readable.from(list).map(ask, { concurrency: domainsAtOnce });
  for await (const asked of answers) {
    summary.domains += 1;
    yield asked;
  }
}

/** By the ids of records: the domain of their address as it was listed, and what is known about it. */
type Batch = ReadonlyMap<string, AskedDomain>;

/** The records of the domains, in batches; also those that are complete when a failure ends the answers. */
async function* inBatches(answers: AsyncIterable<AskedDomain>): AsyncGenerator<Batch> {
  let batch = new Map<string, AskedDomain>();
  try {
    for await (const asked of answers) {
      for (const id of asked.ids) {
        batch.set(id, asked);
        if (batch.size < batchSize) continue;
        yield batch;
        batch = new Map();
      }
    }
  } catch (error) {
    if (batch.size > 0) yield batch;
    throw error;
  }
  if (batch.size > 0) yield batch;
}

/**
 * Writes a batch once the resolver has passed its check again, if the batch holds denials: one that turned bad may deny every name.
 *
 * @throws ResolverFault if it does not pass; the records without denials are written nevertheless
 */
async function writeConfirmed(
  deps: CheckDeps,
  batch: Batch,
  options: CheckOptions,
  summary: CheckSummary,
): Promise<void> {
  const undenied: Batch = new Map([...batch].filter(([, { answer }]) => !isDenial(answer)));
  if (undenied.size === batch.size) return writeBatch(deps, batch, options, summary);
  try {
    await deps.mailDomains.check();
  } catch (error) {
    await writeBatch(deps, undenied, options, summary);
    throw error;
  }
  await writeBatch(deps, batch, options, summary);
}

function isDenial(answer: DomainAnswer): boolean {
  return answer === 'no_such_domain' || answer === 'no_mail_server';
}

async function writeBatch(
  { records }: CheckDeps,
  batch: Batch,
  { suppressed, changeSet }: CheckOptions,
  summary: CheckSummary,
): Promise<void> {
  const keys = await suppressed();
  const at = new Date().toISOString();
  /** Null if the record was suppressed meanwhile, or if its address is another one by now. */
  const findingOf = (record: MediaRecord): Finding | null => {
    const asked = batch.get(record.id);
    if (asked === undefined || record.email === null || isSuppressed(record, keys)) return null;
    return domainOfAddress(record.email) === asked.domain ? assessAddress(record, asked.domain, asked.answer) : null;
  };
  const amendment = (record: MediaRecord) => {
    const finding = findingOf(record);
    return finding === null ? null : applyFinding(record, finding, at);
  };
  const ids = [...batch.keys()];
  const amended = await (changeSet === null
    ? records.previewAmend(ids, amendment)
    : records.amend(ids, amendment, changeSet));
  let checked = 0;
  let hidden = 0;
  for (const { before, after } of amended) {
    const finding = findingOf(before);
    if (finding === null) {
      if (isSuppressed(before, keys)) hidden += 1;
      continue;
    }
    checked += 1;
    summary.found[finding] += 1;
    if (before.email_status !== after.email_status) summary.changed += 1;
    const isGood = finding === 'takes_mail' || finding === 'webmail' || finding === 'disposable';
    if (isGood && after.email_status === 'invalid') summary.kept_invalid += 1;
  }
  summary.checked += checked;
  summary.left_out.suppressed += hidden;
  summary.left_out.changed_meanwhile += batch.size - checked - hidden;
}
