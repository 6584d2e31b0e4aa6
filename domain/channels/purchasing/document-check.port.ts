/** Checks documents against the DTDs of cXML. */
export interface DocumentCheck {
  /** Returns the error in a document with a request of this kind, such as OrderRequest; null if it is valid. */
  problemOf(text: string, kind: string): string | null
}
