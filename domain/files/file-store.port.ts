/** How long a signed address is good for, and what it says of its file: `disposition` as RFC 6266 has it. */
export type SignedAddress = { seconds: number; contentType: string; disposition: string }

/** A place outside the database that keeps the bytes of files under their keys. */
export type FileStore = {
  /** Writes all bytes or none. The same key again replaces them. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** The bytes under a key; undefined if there are none. Throws when there are more than `most` bytes. */
  read(key: string, most: number): Promise<Uint8Array | undefined>
  /**
   * An address at which anyone reads these bytes, as a file of this type, until `seconds` have passed; made without
   * asking the place whether they are there. Absent where the place cannot be reached from outside.
   */
  sign?(key: string, options: SignedAddress): Promise<URL>
  /** Deletes what is under a key. Nothing there is no fault. */
  remove(key: string): Promise<void>
  /** Deletes what writes that were cut off before an instant left behind, and returns how many. */
  clear(before: Temporal.Instant): Promise<number>
}

export type FilePlace = 'folder' | 's3'

/** Where files are kept: `kind` takes new ones, and any that is configured gives out those that are still in it. */
export type Files = { kind: FilePlace; stores: Readonly<Partial<Record<FilePlace, FileStore>>> }
