import type { PaymentProvider } from '#accounts/payment-provider.ts';
import type { OwnSetting } from '#src/settings/setting.ts';

/** Reports an error to the operator that the buyer need not see. */
export type Warn = (fields: object, message: string) => void;

/** A provider for real payments, listed in providers.ts. */
export interface ProviderDefinition {
  /** What the setting PAYMENTS calls it. */
  name: string;
  /** What people call it. */
  title: string;
  /** All of its secrets are required. If PAYMENTS is not set, any one of them selects the provider. */
  settings: readonly OwnSetting[];
  /** Matches its secrets anywhere in a text, to keep them out of the log. Global, and linear in time. */
  secretPattern: RegExp;
  /**
   * Loads its code, which no other process needs.
   *
   * @param values those of its settings, as their schemas read them; null where one is absent
   * @returns opens it, once it is known where buyers come back to: a URL without a slash at its end
   */
  load(values: Readonly<Record<string, string | null>>): Promise<(publicUrl: string, warn: Warn) => PaymentProvider>;
}
