export type RefusalCode =
  | 'not_found'
  | 'cannot_read'
  | 'not_a_file'
  | 'empty'
  | 'not_utf8'
  | 'not_text'
  | 'bad_archive'
  | 'no_sheet'
  | 'json_over_lines'
  | 'bad_header'
  | 'no_known_column'
  | 'no_header'
  | 'nothing_identifies'
  | 'duplicate_column'
  | 'missing_column'
  | 'lost_addresses';

/** A file that is not imported at all: why, and how to fix it. */
export class RefusedFile extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedFile';
    this.code = code;
  }
}

/** A file that cannot be read completely. The rows before are imported. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
