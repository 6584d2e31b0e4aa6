import { expect, test } from 'vitest'
import { cleanText, normalizeTyping, visibleJson, visibleLine, visibleText } from './plain-text.ts'

const kept = {
  'line ends and tabs': 'one\n\ttwo\n\nthree',
  accents: 'Zoë Müller, São Paulo, Nguyễn, cafe\u0301',
  'right to left': 'שלום، مرحبا',
  'a joiner in a word': 'می\u200cخواهم',
  'emoji with joiners': '👩\u200d🔧 👨\u200d👩\u200d👧 ❤\ufe0f 🏳\ufe0f\u200d🌈 👍🏽',
  flags: '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🇺🇸',
  signs: '4×4 · 50 % – “quoted” … <b>&amp;',
}

test.for(Object.entries(kept))('%s are legitimate text, and stay', ([, text]) => {
  expect(cleanText(text)).toBe(text)
  expect(visibleText(text)).toBe(text)
  expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text)
})

test.for([
  ['O\u2019Brien', "O'Brien"],
  ['Coeur d\u2019Alene', "Coeur d'Alene"],
  ['D\u00b4Angelo', "D'Angelo"],
  ['Jose\u0301', 'Jos\u00e9'],
  ['Garci\u0301a\u2011Lo\u0301pez', 'Garc\u00eda-L\u00f3pez'],
  ['Anne\u2010Marie', 'Anne-Marie'],
  ['open 9\u20135 \u2014 closed on Sunday', 'open 9\u20135 \u2014 closed on Sunday'],
] as const)('normalizes "%s" to "%s"', ([typed, normalized]) => {
  expect(normalizeTyping(typed)).toBe(normalized)
})

/** Every character that must be removed. */
const steering = [
  ...[
    [0, 8],
    [0xb, 0xc],
    [0xe, 0x1f],
    [0x7f, 0x84],
    [0x86, 0x9f],
    [0x202a, 0x202e],
    [0x2066, 0x2069],
    [0xfff9, 0xfffb],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
  0x61c,
  0x200e,
  0x200f,
  0xfeff,
].map((code) => String.fromCharCode(code))

test('terminal and direction controls are dropped on input and made visible on output', () => {
  for (const character of steering) {
    const code = character.charCodeAt(0).toString(16)
    expect({ code, text: cleanText(`a${character}b`) }).toEqual({ code, text: 'ab' })
    expect({ code, text: visibleText(`a${character}b`) }).toEqual({ code, text: `a\\u{${code}}b` })
    const json = visibleJson(JSON.stringify(`a${character}b`))
    expect({ code, isAscii: /^[\x20-\x7e]+$/.test(json), text: JSON.parse(json) as unknown }).toEqual({
      code,
      isAscii: true,
      text: `a${character}b`,
    })
  }
  expect(cleanText('\x1b]0;owned\x07\x1b[31mred')).toBe(']0;owned[31mred')
  expect(visibleText('pay\u202etxt.exe')).toBe('pay\\u{202e}txt.exe')
})

test('line endings are normalized on input, and made visible where one line is printed', () => {
  expect(cleanText('a\r\nb\rc\u2028d\u2029e\x85f')).toBe('a\nb\nc\nd\ne\nf')
  expect(visibleLine('Dana\nR-13  paid\r\n\u2028x')).toBe('Dana R-13  paid x')
})

test('lone surrogates are replaced', () => {
  expect(cleanText('a\ud800b')).toBe('a\ufffdb')
})
