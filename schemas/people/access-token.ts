import { Type } from '@sinclair/typebox'

export const AccessToken = Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTkzIn0.c2ln'] })

export const ExpiresIn = Type.Integer({
  description: 'Seconds that the access token lives, from this answer on',
  examples: [900],
})
