/** Finds a tire size with its service description inside a product's name. */
import { parseTire, type TireMarking } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/** A marking has at most this many words, such as "LT275/70R18 125/122 S E RFT". */
const mostWords = 5
/** The maximum number of words to read from a text. */
const mostWordsRead = 200
const startsSize = /^(?:P|LT|ST|T|HL)?\d{1,3}(?:[./X×]|\d)/i

/**
 * The first tire marking in a text, and the words before it: "Alltide AS2 225/65R17 102H all-season" → 225/65R17 102H
 * after "Alltide AS2". Undefined if no part of the text is one.
 */
export function findTire(text: string): { tire: TireMarking; before: string } | undefined {
  const words = text
    .split(/[\s,;()|–—]+/)
    .filter((word) => word !== '' && word !== '-')
    .slice(0, mostWordsRead)
  for (const [start, word] of words.entries()) {
    if (!startsSize.test(word)) continue
    for (let count = mostWords; count > 0; count--) {
      const tire = parseTire(words.slice(start, start + count).join(' '))
      if (tire) return { tire, before: words.slice(0, start).join(' ') }
    }
  }
  return undefined
}
