// The page can be read and used without its modules, so they are requested only after it was painted.
const modules = /** @type {HTMLTemplateElement} */ (document.querySelector('template#modules'));
const start = () => document.head.append(modules.content);
// A frame is painted after its callbacks. A page in the background has none.
if (document.hidden) start();
else requestAnimationFrame(() => setTimeout(start));

export {};
