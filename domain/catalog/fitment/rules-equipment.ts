/**
 * Rule book section 7, factory equipment, covering run-flat tires, the pressure monitor and the carmaker's mark. Per
 * axle.
 */
import { markFamily } from './marks.ts'
import { ask, isLight, onlyIf, refuse } from './ruling.ts'
import type { AxleCase, Requirement, Ruling, SetCase } from './terms.ts'

/** FR32: four conventional tires leave a run-flat car without a spare; run-flats need wheels made for them. */
export function runFlatIsListed({ requirement, tire, context }: AxleCase): Ruling {
  if (context.spare || !requirement.runFlat === !tire.runFlat) return 'silent'
  return tire.runFlat
    ? onlyIf(
        'C-RFWHEEL',
        'Your car was not built with run-flat tires. The shop checks that your wheels hold them.',
        'if your wheels are made for run-flats',
      )
    : onlyIf(
        'C-NOSPARE',
        'Your car has no spare. Without run-flats carry a kit or a spare.',
        'if you carry a kit or a spare',
      )
}

/**
 * FMVSS 138 (49 CFR 571.138): from model year 2008 every vehicle up to 10,000 lb has a monitor, unless an axle has dual
 * wheels.
 */
export function hasPressureMonitorByLaw({
  vehicleClass,
  modelYear,
  dualRearWheels,
}: Pick<Requirement, 'vehicleClass' | 'modelYear' | 'dualRearWheels'>): boolean {
  return isLight(vehicleClass) && modelYear !== undefined && modelYear >= 2008 && !dualRearWheels
}

/** FR33: a run-flat hides a loss of air, so the pressure must be monitored. */
export function runFlatIsMonitored({ tire, vehicle, context }: AxleCase): Ruling {
  if (!tire.runFlat || context.spare) return 'silent'
  if (vehicle.pressureMonitor ?? hasPressureMonitorByLaw(vehicle)) return 'passed'
  const text = 'Run-flats hide a flat: your car needs tire-pressure monitoring.'
  return vehicle.pressureMonitor === false
    ? refuse(text, 'run-flat, and your car has no pressure monitor')
    : ask(`${text} Does it have that?`, 'does your car monitor tire pressure?')
}

/** FR34: the carmaker's mark, compared by family: N0 and N1 are one. */
export function markIsListed({ requirement, tire, context }: AxleCase): Ruling {
  if (!requirement.mark || context.spare) return 'silent'
  if (tire.mark && markFamily(tire.mark) === markFamily(requirement.mark)) return 'passed'
  return onlyIf(
    'C-MARK',
    `Your car left the factory with ${requirement.mark} tires. This one is ${tire.mark ? `marked ${tire.mark}` : 'not marked'}; lease or warranty rules may ask for it.`,
    `if you can do without the ${requirement.mark} mark`,
  )
}

/** FR34: on a Porsche all four have one generation of the mark; elsewhere a difference is a condition. */
export function marksAreAlike({ front, rear, vehicle, context }: SetCase): Ruling {
  if (context.spare || !front || !rear || (front.tire.mark ?? '') === (rear.tire.mark ?? '')) return 'silent'
  const marks = `${front.tire.mark ?? 'no mark'} in front, ${rear.tire.mark ?? 'no mark'} in the rear`
  const porsche =
    vehicle.make?.toLowerCase() === 'porsche' ||
    [front, rear].some(({ requirement }) => requirement.mark !== undefined && markFamily(requirement.mark) === 'N')
  return porsche
    ? ask(`These tires carry different marks: ${marks}. Please call us.`, 'different marks front and rear, call us')
    : onlyIf(
        'C-MARK',
        `These tires carry different marks: ${marks}. Lease or warranty rules may ask for one.`,
        'if different marks front and rear are fine with you',
      )
}
