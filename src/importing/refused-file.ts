export type RefusalCode =
  | 'not_found'
  | 'not_a_file'
  | 'cannot_read'
  | 'empty'
  | 'not_utf8'
  | 'not_text'
  | 'json_array'
  | 'json_over_lines'
  | 'bad_header'
  | 'no_known_column'
  | 'no_header'
  | 'nothing_identifies'
  | 'duplicate_column';

/** A file of which nothing is imported: why, and what would be right. */
export class RefusedFile extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedFile';
    this.code = code;
  }
}

/** A file that cannot be read to its end. What came before is imported. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
