/** The forms in which a set of records is handed over; the last three are for the outbound tools of these names. */
export const exportFormats = ['csv', 'instantly', 'smartlead', 'lemlist'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export type OutboundFormat = Exclude<ExportFormat, 'csv'>;
