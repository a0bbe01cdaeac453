import type { KeptProof, PepperDependents, PepperRecord } from '#accounts/pepper-record.ts';
import { findOrInsert } from './collection-store.ts';
import { runOnMongo } from './mongo-faults.ts';
import type { Collections } from './prepare-collections.ts';

export interface ProofDocument extends KeptProof {
  _id: 'proof';
}

const theOne = { _id: 'proof' } as const;

/** The proof of the pepper, in a collection with one document. */
export class MongoPepperRecord implements PepperRecord {
  readonly #collections: Collections;

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  async find(): Promise<KeptProof | null> {
    const kept = await runOnMongo(() => this.#collections.proofs.findOne(theOne));
    return kept && readProof(kept);
  }

  async keep({ proof, since }: KeptProof): Promise<KeptProof> {
    return readProof(await runOnMongo(() => findOrInsert(this.#collections.proofs, theOne, { proof, since })));
  }

  async replace({ proof, since }: KeptProof): Promise<void> {
    await runOnMongo(() => this.#collections.proofs.replaceOne(theOne, { proof, since }, { upsert: true }));
  }

  async countDependents(): Promise<PepperDependents> {
    return runOnMongo(async () => {
      const [keys, orders] = await Promise.all([
        this.#collections.keys.countDocuments({ revoked_at: null }),
        this.#collections.orders.countDocuments({ status: { $in: ['pending', 'paid'] } }),
      ]);
      return { keys, orders };
    });
  }
}

function readProof({ proof, since }: ProofDocument): KeptProof {
  return { proof, since };
}
