import type { PaymentProvider } from '#ports/payment-provider.ts';
import type { OwnSetting } from '#src/settings/setting.ts';

/** Reports an error to the operator that the buyer need not see. */
export type Warn = (fields: object, message: string) => void;

/** A provider that takes real payments: listed in providers.ts. */
export interface ProviderDefinition {
  /** What the setting PAYMENTS calls it. */
  name: string;
  /** What people call it. */
  title: string;
  /** Its secrets are all required, and any of them chooses the provider where PAYMENTS is not set. */
  settings: readonly OwnSetting[];
  /** What its secrets look like, wherever they stand: global, and linear in time. They are kept out of the log. */
  secretPattern: RegExp;
  /**
   * Loads its code, which no other process needs.
   *
   * @param values those of its settings, as their schemas read them; null where one is absent
   * @returns opens it, once it is known where buyers come back to: a URL without a slash at its end
   */
  load(values: Readonly<Record<string, string | null>>): Promise<(publicUrl: string, warn: Warn) => PaymentProvider>;
}
