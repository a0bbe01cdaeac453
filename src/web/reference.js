// Shows the API reference. A key that is typed in stays on this page: Swagger UI is told to keep nothing.
/** @type {any} */ (globalThis).SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.querySelector('#reference'),
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: false,
});
