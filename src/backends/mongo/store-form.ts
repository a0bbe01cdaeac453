/** The number of the form of this version: that of the last step in store-migrations.ts. */
export const storeForm = 4;
