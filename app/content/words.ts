/** Normalizes words for search by removing case, accents, and endings, so "Returned tires" finds "return a tire". */

/** Too common to distinguish texts. */
const common = new Set(
  'a an and are as at be but by can do does for from get have how i if in is it its me my of on or our so that the their there they this to us was we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** Returns every word of a text with its position. */
export function wordsOf(text: string): { word: string; from: number; to: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu)].map((match) => ({
    word: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** Returns the meaningful stems of a text, in order. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap(({ word }) => {
    const plain = plainWord(word)
    return common.has(plain) ? [] : [stemOf(plain)]
  })
}

/**
 * "Canceled" → "cancel", "tires" → "tire", "installation" → "instal". Both sides of a comparison are stemmed, so the
 * result need not be a word.
 */
export function stemOf(word: string): string {
  const plain = plainWord(word)
  if (plain.length < 4 || /\d/.test(plain)) return plain
  const singular = plain
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  const bare = singular.replace(/(?<=.{4})ation$/, '').replace(/(?<=.{3})(ing|ed)$/, '')
  return bare.replace(/([bdfglmnprst])\1$/, '$1').replace(/(?<=.{3})e$/, '')
}

function plainWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
}
