/** A signed URL's lifetime and response headers; `disposition` is as in RFC 6266. */
export type SignedAddress = { seconds: number; contentType: string; disposition: string }

/** A file store outside the database, which stores bytes by key. */
export type FileStore = {
  /** Writes atomically. The same key again replaces them. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Returns the bytes under a key; undefined if they don't exist. Throws if the file exceeds `most` bytes. */
  read(key: string, most: number): Promise<Uint8Array | undefined>
  /**
   * An address at which anyone reads these bytes, as a file of this type, until `seconds` have passed; made without
   * asking the place whether they are there. Absent where the place cannot be reached from outside.
   */
  sign?(key: string, options: SignedAddress): Promise<URL>
  /** Deletes the file under a key, if it exists. */
  remove(key: string): Promise<void>
  /** Deletes what writes that were cut off before an instant left behind, and returns how many. */
  clear(before: Temporal.Instant): Promise<number>
}

export type FilePlace = 'folder' | 's3'

/** File storage. `kind` receives new files, and every configured store serves its existing files. */
export type Files = { kind: FilePlace; stores: Readonly<Partial<Record<FilePlace, FileStore>>> }
