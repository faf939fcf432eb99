import { memoryStore } from '../../modules/notifications/store/memory.ts'
import { storeCases } from './store-cases.ts'

/* The same over Redis: test/peers/notifications.test.ts. */
storeCases('memory', memoryStore())
