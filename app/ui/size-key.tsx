export type SizeKeyPart = { part: 'width' | 'sidewall' | 'rim' | 'height' | 'service'; text: string; meaning: string }

/**
 * The parts of a tire size. The selected or hovered part is highlighted in the drawing inside the same `.lights-parts`,
 * using only CSS, so it works without script.
 */
export function SizeKey({ parts, legend }: { parts: readonly SizeKeyPart[]; legend: string }) {
  return (
    <fieldset className="size-key tabular">
      <legend className="visually-hidden">{legend}</legend>
      {parts.map(({ part, text, meaning }, index) => (
        <label key={part}>
          <input
            className="visually-hidden"
            type="radio"
            name="size-part"
            id={`size-${part}`}
            defaultChecked={index === 0}
          />
          <b>{text}</b> <span>{meaning}</span>
        </label>
      ))}
    </fieldset>
  )
}
