import { defineType } from './define.ts'
import { altitude, coordinate, precision } from './fields/location.ts'
import { Unreadable } from './words.ts'

const fields = {
  latitude: coordinate({ title: 'Latitude', example: '52 22 23.000 N' }, ['N', 'S'], 90),
  longitude: coordinate({ title: 'Longitude', example: '4 53 32.000 E' }, ['E', 'W'], 180),
  altitude: altitude({ title: 'Altitude', help: 'Meters above the reference spheroid', example: -2 }),
  size: precision({ title: 'Size', help: 'Meters, with one significant digit', example: 1 }, 1),
  horizontalPrecision: precision({ title: 'Horizontal precision', help: 'Metres', example: 10_000 }, 10_000),
  verticalPrecision: precision({ title: 'Vertical precision', help: 'Metres', example: 10 }, 10),
}

// RFC 1876 section 2; the wire order differs from that of the text.
const VERSION = 0

export const LOC = defineType({
  type: 'LOC',
  title: 'Geographic location',
  help: 'The geographic location of this name.',
  rfc: 'RFC 1876',
  fields,
  wire: {
    write(data, out) {
      out.number(VERSION, 1)
      fields.size.toWire(data.size, out)
      fields.horizontalPrecision.toWire(data.horizontalPrecision, out)
      fields.verticalPrecision.toWire(data.verticalPrecision, out)
      fields.latitude.toWire(data.latitude, out)
      fields.longitude.toWire(data.longitude, out)
      fields.altitude.toWire(data.altitude, out)
    },
    read(input) {
      if (input.number(1) !== VERSION) throw new Unreadable('has an unsupported version')
      const size = fields.size.fromWire(input)
      const horizontalPrecision = fields.horizontalPrecision.fromWire(input)
      const verticalPrecision = fields.verticalPrecision.fromWire(input)
      const latitude = fields.latitude.fromWire(input)
      const longitude = fields.longitude.fromWire(input)
      return {
        latitude,
        longitude,
        altitude: fields.altitude.fromWire(input),
        size,
        horizontalPrecision,
        verticalPrecision,
      }
    },
  },
})
