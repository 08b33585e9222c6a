/** The model library: `ada-agent/providers`. Usable alone; knows nothing of agents, screens or projects. */
export type * from './adapter.ts';
export { AnthropicBackendAdapter } from './backends/anthropic.ts';
export { MockBackendAdapter } from './backends/mock.ts';
export { OllamaBackendAdapter, ollamaBaseUrl, showModel } from './backends/ollama.ts';
export { OpenAIChatBackendAdapter, type OpenAIChatQuirks } from './backends/openai-chat.ts';
export { ReplayBackendAdapter } from './backends/replay.ts';
export { Bridge, type BridgeConfig } from './bridge.ts';
export { type CatalogEntry, costOf, findModel, type ModelPrice } from './catalog/catalog.ts';
export * from './errors.ts';
export { AnthropicFrontendAdapter, type AnthropicRequest, anthropicFrame } from './frontends/anthropic.ts';
export type { HttpErrorAnswer } from './frontends/http-error.ts';
export type { HttpFrontendAdapter } from './frontends/http-frontend.ts';
export { type OpenAIChatRequest, OpenAIFrontendAdapter, openAIChatFrame } from './frontends/openai-chat.ts';
export * from './ir.ts';
export {
  type CacheStorage,
  type CachingOptions,
  cacheKey,
  createCachingMiddleware,
  createMemoryStorage,
  type MemoryStorageOptions,
} from './middleware/caching.ts';
export { composeMiddleware, type MiddlewareBase } from './middleware/compose-middleware.ts';
export { type CostEntry, type CostTrackingOptions, createCostTrackingMiddleware } from './middleware/cost-tracking.ts';
export { createImagesAsTextMiddleware, type ImagesAsTextOptions } from './middleware/images-as-text.ts';
export { createLoggingMiddleware, type LogEntry, type LoggingOptions } from './middleware/logging.ts';
export { createSanitizingMiddleware, type SanitizingOptions } from './middleware/sanitizing.ts';
export { createTelemetryMiddleware, type TelemetryOptions } from './middleware/telemetry.ts';
export { createToolRecoveryMiddleware, type ToolRecoveryOptions } from './middleware/tool-recovery.ts';
export { createTransformMiddleware, type TransformOptions } from './middleware/transform.ts';
export { createValidationMiddleware, type ValidationOptions, validateRequest } from './middleware/validation.ts';
export { type BackendInfo, Router } from './router.ts';
export type { RegisterOptions } from './routing/backend-entry.ts';
export type { BreakerOptions, BreakerState } from './routing/breaker.ts';
export { chooseDefault, type DefaultChoice, type DefaultOptions } from './routing/choose-default.ts';
export { nearest } from './routing/nearest.ts';
export { type ResolvedModel, type ResolveOptions, resolveModel } from './routing/resolve-model.ts';
export type { RetryPolicy } from './routing/retry-policy.ts';
export type { CustomFallback, FallbackStrategy, RouterConfig } from './routing/router-config.ts';
export type { BackendStats, Percentiles, RouterStats } from './routing/statistics.ts';
export type { CustomRouter, RoutingContext, RoutingStrategy } from './routing/strategies.ts';
export {
  type GenerateObjectOptions,
  type GenerateObjectResult,
  generateObject,
  StructuredOutputError,
} from './structured-output.ts';
export { createTransport, type Transport } from './transport.ts';
export {
  findVendor,
  isConfigured,
  isLoopback,
  type VendorRow,
  type VendorWire,
  vendorBaseUrl,
  vendorKey,
  vendors,
} from './vendors.ts';
export { collect } from './wire/collect.ts';
