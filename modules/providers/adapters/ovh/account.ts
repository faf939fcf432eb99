import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://eu.api.ovh.com/1.0'

export const credentialSchema = Type.Object({
  applicationKey: PlainText('Application key', 'Made with the two others at eu.api.ovh.com/createToken'),
  applicationSecret: Secret('Application secret', 'Shown once, when the keys are made'),
  consumerKey: Secret('Consumer key', 'Says which account it is, and what may be done there, for how long'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
