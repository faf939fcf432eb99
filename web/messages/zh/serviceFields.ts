import type { FieldTable } from '../fields.ts'
import type { serviceFields as en } from '../en/serviceFields.ts'
import { channelFields } from './service/channel-fields.ts'
import { providerFields, rights } from './service/provider-fields.ts'

const table: FieldTable = {
  common: {
    accessKeyId: { title: 'Access Key ID' },
    accountId: { title: '账户 ID' },
    algorithm: { title: '密钥算法' },
    apiKey: { title: 'API 密钥' },
    apiToken: { title: 'API 令牌' },
    apiUrl: { title: 'API 地址', help: '仅在不同于 {address} 时填写。' },
    audience: { title: '通知谁' },
    clientId: { title: '应用程序（客户端）ID' },
    headers: { title: '其他请求头' },
    password: { title: '密码' },
    port: { title: '端口' },
    region: { title: '区域' },
    secret: { title: '签名密钥' },
    secretAccessKey: { title: 'Secret Access Key', help: '与 ID 配对；只显示一次。' },
    secretKey: { title: 'Secret Key' },
    server: { title: '服务器' },
    token: { title: '访问令牌' },
    url: { title: '地址' },
    username: { title: '用户名' },
    webhookUrl: { title: 'Webhook 地址' },
  },
  of: { ...providerFields, ...channelFields },
  rights,
}

export const serviceFields: typeof en = {
  keeps: '已设置。留空则保持不变。',
  example: (text) => `例如 \`${text}\`。`,
  forget: (title) => `移除已保存的内容：${title}`,
  headersHelp: '每行一个：名称: 值',
  headersWrong: '每行应为名称、冒号和值。',
  choices: { admins: '管理员', all: '所有用户' },
  table,
}
