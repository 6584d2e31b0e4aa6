/** Checks documents against the DTDs of cXML. */
export interface DocumentCheck {
  /** What is wrong with a document whose request is of this kind, such as OrderRequest; null if it is valid. */
  problemOf(text: string, kind: string): string | null
}
