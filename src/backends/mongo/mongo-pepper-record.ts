import type { Collection } from 'mongodb';
import type { KeptProof, PepperDependents, PepperRecord } from '#ports/pepper-record.ts';
import { isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';
import type { KeyDocument } from './mongo-key-store.ts';
import type { OrderDocument } from './mongo-order-store.ts';

export interface ProofDocument extends KeptProof {
  _id: 'proof';
}

interface PepperCollections {
  proofs: Collection<ProofDocument>;
  keys: Collection<KeyDocument>;
  orders: Collection<OrderDocument>;
}

const theOne = { _id: 'proof' } as const;

/** The proof of the pepper, in a collection with one document. */
export class MongoPepperRecord implements PepperRecord {
  readonly #collections: PepperCollections;

  constructor(collections: PepperCollections) {
    this.#collections = collections;
  }

  async find(): Promise<KeptProof | null> {
    const kept = await runOnMongo(() => this.#collections.proofs.findOne(theOne));
    return kept && readProof(kept);
  }

  async keep({ proof, since }: KeptProof): Promise<KeptProof> {
    return runOnMongo(async () => {
      const keep = () =>
        this.#collections.proofs.findOneAndUpdate(
          theOne,
          { $setOnInsert: { proof, since } },
          { upsert: true, returnDocument: 'after' },
        );
      // If several insert at once, one is told that it came second; by then the first one's document exists.
      const kept = await keep().catch((error: unknown) => (isDuplicateKey(error) ? keep() : Promise.reject(error)));
      if (kept === null) throw storeUnavailable(new Error('the proof of the pepper vanished while it was stored'));
      return readProof(kept);
    });
  }

  async replace({ proof, since }: KeptProof): Promise<void> {
    await runOnMongo(() => this.#collections.proofs.replaceOne(theOne, { proof, since }, { upsert: true }));
  }

  async countDependents(): Promise<PepperDependents> {
    const { keys, orders } = this.#collections;
    const counts = await runOnMongo(() =>
      Promise.all([
        keys.countDocuments({ revoked_at: null }),
        orders.countDocuments({ status: { $in: ['pending', 'paid'] } }),
      ]),
    );
    return { keys: counts[0], orders: counts[1] };
  }
}

function readProof({ proof, since }: ProofDocument): KeptProof {
  return { proof, since };
}
